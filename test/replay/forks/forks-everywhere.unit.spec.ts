import { CONTEXT_SUMMARIZED, type ContextSettings } from '@palimpsest/contracts';
import fc from 'fast-check';
import {
  branched,
  factsOf,
  greatestForkPoint,
  recordedRun,
  replayed,
  type RecordedRun,
} from './fork-checks.js';
import { MemoryHost } from '../memory-host.js';
import { ModelLoopRun, type LoopAct } from './model-loop-run.js';
import { OwnLoopRun, type Act } from './own-loop-run.js';
import { anyActs, anyLineage, anyLoop, anySettings } from './random-runs.js';

jest.setTimeout(120_000);

const SOURCE = 'run_source';

type Plan = { readonly context: ContextSettings } & (
  { readonly acts: readonly Act[] } | { readonly loop: readonly LoopAct[] }
);

const anyOwnLoop = fc.record({ context: anySettings, acts: anyActs });
const anyModelLoop = fc.record({ context: anySettings, loop: anyLoop });

async function played(host: MemoryHost, plan: Plan): Promise<RecordedRun> {
  if ('acts' in plan) {
    const run = await OwnLoopRun.start(host, SOURCE, plan.context);
    for (const act of plan.acts) await run.play(act);
  } else {
    const run = await ModelLoopRun.start(host, SOURCE, plan.context);
    for (const act of plan.loop) await run.play(act);
  }
  return recordedRun(host, SOURCE);
}

/** With services of its own, which are gone afterwards. */
async function hosted<Result>(work: (host: MemoryHost) => Promise<Result>): Promise<Result> {
  const host = await MemoryHost.start();
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

describe.each<[string, fc.Arbitrary<Plan>, { readonly everywhere: number; readonly lineages: number }]>([
  ['whose loop is the caller’s', anyOwnLoop, { everywhere: 3, lineages: 8 }],
  ['whose turns a model decided', anyModelLoop, { everywhere: 2, lineages: 5 }],
])('a run %s, whatever was said in it', (_, anyPlan, { everywhere, lineages }) => {
  it('is replayed from every place with every window as it was fed', () =>
    fc.assert(
      fc.asyncProperty(anyPlan, (plan) =>
        hosted(async (host) => {
          const source = await played(host, plan);
          for (let fromSeq = 0; fromSeq <= greatestForkPoint(source, 'replay'); fromSeq += 1)
            await replayed(host, { source, fromSeq, forkRunId: `run_replay_${fromSeq}` });
        }),
      ),
      { numRuns: everywhere },
    ));

  it('is replayed twice alike, in type, node and payload', () =>
    fc.assert(
      fc.asyncProperty(anyPlan, fc.double({ min: 0, max: 1, noNaN: true }), (plan, share) =>
        hosted(async (host) => {
          const source = await played(host, plan);
          const fromSeq = Math.round(share * greatestForkPoint(source, 'replay'));
          const one = await replayed(host, { source, fromSeq, forkRunId: 'run_one' });
          const other = await replayed(host, { source, fromSeq: 0, forkRunId: 'run_other' });
          expect(other.events.map(factsOf)).toEqual(one.events.map(factsOf));
        }),
      ),
      { numRuns: lineages },
    ));

  it('is branched off at every place: what came later is not known there', () =>
    fc.assert(
      fc.asyncProperty(anyPlan, (plan) =>
        hosted(async (host) => {
          const source = await played(host, plan);
          for (let fromSeq = 0; fromSeq <= greatestForkPoint(source, 'branch'); fromSeq += 1)
            await branched(host, { source, fromSeq, forkRunId: `run_branch_${fromSeq}` });
        }),
      ),
      { numRuns: everywhere },
    ));

  it('is forked, its forks are forked, and theirs, with the same windows', () =>
    fc.assert(
      fc.asyncProperty(anyPlan, anyLineage, (plan, lineage) =>
        hosted(async (host) => {
          let source = await played(host, plan);
          for (const [generation, { share, replay }] of lineage.entries()) {
            const mode = replay ? 'replay' : 'branch';
            const fromSeq = Math.round(share * greatestForkPoint(source, mode));
            const forked = { source, fromSeq, forkRunId: `run_generation_${generation}` };
            source = replay ? await replayed(host, forked) : await branched(host, forked);
          }
        }),
      ),
      { numRuns: lineages },
    ));

  it('is no run in which nothing happens', async () => {
    const seen = { windows: 0, summaries: 0, cuts: 0 };
    for (const plan of fc.sample(anyPlan, { numRuns: 5, seed: 1 })) {
      const { windows, events } = await hosted((host) => played(host, plan));
      seen.windows += windows.length;
      seen.cuts += windows.filter(({ window }) => window.cuts.length > 0).length;
      seen.summaries += events.filter(({ type }) => type === CONTEXT_SUMMARIZED).length;
    }
    expect(seen.windows).toBeGreaterThan(20);
    expect(seen.summaries).toBeGreaterThan(5);
    expect(seen.cuts).toBeGreaterThan(2);
  });
});
