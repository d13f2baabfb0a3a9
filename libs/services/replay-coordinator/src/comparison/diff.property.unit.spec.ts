import { MemoryEventLog } from '@palimpsest/adapter-memory';
import { runDiffSchema, type RunDiff } from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import fc from 'fast-check';
import { DiffRunsHandler } from '../handlers/diff-runs.js';
import { ComparedRunLog, type Step } from '../testing/compared-log.js';
import { TENANT } from '../testing/source-run.js';

// Few letters, so that two branches often say the same.
const letter = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('message' as const), text: letter }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('instruction' as const), text: letter }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('summary' as const), text: letter }) },
  {
    weight: 3,
    arbitrary: fc.record(
      { kind: fc.constant('window' as const), turns: fc.nat(3), cut: letter },
      { requiredKeys: ['kind', 'turns'] },
    ),
  },
);
const steps = fc.array(step, { maxLength: 12 });

type Runs = {
  readonly log: EventLog;
  readonly source: ComparedRunLog;
  readonly one: ComparedRunLog;
  readonly two: ComparedRunLog;
  readonly forkPoint: number;
  diff(one: ComparedRunLog, two: ComparedRunLog): Promise<RunDiff>;
};

/** A source that was branched off twice at one place, each with turns of its own; the source goes on, too. */
const scripts = fc.record({ before: steps, after: steps, one: steps, two: steps, at: fc.nat() });

async function runsOf({ before, after, one, two, at }: Scripts): Promise<Runs> {
  const log = new MemoryEventLog();
  const handler = new DiffRunsHandler(log);
  const source = await (await new ComparedRunLog(log, 'source').start()).go(before);
  const forkPoint = 1 + (at % source.length);
  const branches = [await source.branch('one', forkPoint), await source.branch('two', forkPoint)] as const;
  await source.go(after);
  await branches[0].go(one);
  await branches[1].go(two);
  const diff: Runs['diff'] = async (run, other) =>
    runDiffSchema.parse(
      await handler.handle({ tenantId: TENANT, runId: run.runId, otherRunId: other.runId }),
    );
  return { log, source, one: branches[0], two: branches[1], forkPoint, diff };
}

type Scripts = typeof scripts extends fc.Arbitrary<infer Value> ? Value : never;

/** What the other side of the same comparison must say. */
function turnedRound(found: RunDiff): RunDiff {
  const { relation, run, other, firstDivergence: at, windows, fedTokensSaved: saved } = found;
  const kinds = { fork: 'source', source: 'fork' } as const;
  const kind = relation.kind === 'fork' || relation.kind === 'source' ? kinds[relation.kind] : relation.kind;
  return {
    ...found,
    relation: { ...relation, kind },
    run: other,
    other: run,
    ...(at && { firstDivergence: swapped(at) }),
    windows: windows.map((pair) => swapped(pair)),
    fedTokensSaved: saved === null ? null : 0 - saved,
  };
}

function swapped<Sides extends { readonly run?: unknown; readonly other?: unknown }>(sides: Sides): Sides {
  const { run, other, ...rest } = sides;
  return {
    ...rest,
    ...(other !== undefined && { run: other }),
    ...(run !== undefined && { other: run }),
  } as Sides;
}

describe('a comparison of random runs', () => {
  it('finds nothing in a run and itself', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const { one, diff } = await runsOf(script);
        const found = await diff(one, one);
        expect(found.identical).toBe(true);
        expect(found.windows.filter(({ identical }) => !identical)).toEqual([]);
        expect(found.windows).toHaveLength(one.windows.length);
        expect(found.fedTokensSaved ?? 0).toBe(0);
      }),
    );
  });

  it('says the same from either side', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const { source, one, two, diff } = await runsOf(script);
        for (const [run, other] of [
          [one, two],
          [one, source],
        ] as const) {
          expect(await diff(other, run)).toEqual(turnedRound(await diff(run, other)));
        }
      }),
    );
  });

  it('finds no divergence of branches before their fork point, and one as soon as they differ', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const { log, one, two, forkPoint, diff } = await runsOf(script);
        const { identical, relation, firstDivergence } = await diff(one, two);
        expect(relation).toEqual({ kind: 'siblings', ancestorRunId: 'source', sharedEvents: forkPoint });
        const differing = await firstUnequalEvent(log, ['one', 'two']);
        expect(firstDivergence?.sequence).toBe(differing);
        expect(identical).toBe(differing === undefined);
        expect(differing ?? Infinity).toBeGreaterThanOrEqual(forkPoint);
      }),
    );
  });

  it('calls windows identical where the same texts were fed, and only there', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const { source, one, two, diff } = await runsOf(script);
        for (const [run, other] of [
          [one, two],
          [source, two],
        ] as const) {
          const { windows } = await diff(run, other);
          const fed = windows.map((_, place) =>
            [run, other].map(
              ({ windows: taken }) => taken[place]?.texts.join('\n') ?? `none of ${run.runId}`,
            ),
          );
          expect(windows.map(({ identical }) => identical)).toEqual(
            fed.map(([mine, theirs]) => mine === theirs),
          );
        }
      }),
    );
  });
});

/** Where two whole logs differ, found in the plainest way: own ids are put alike, then all is compared as text. */
async function firstUnequalEvent(log: EventLog, names: readonly string[]): Promise<number | undefined> {
  const [one = [], two = []] = await Promise.all(
    names.map(async (runId) => {
      const { events } = await log.readRun({ tenantId: TENANT, runId, fromSequence: 0 });
      return events.map(({ type, payload }) =>
        JSON.stringify([type, payload]).replaceAll(`evt-${runId}-`, 'evt-'),
      );
    }),
  );
  const places = Array.from({ length: Math.max(one.length, two.length) }, (_, place) => place);
  return places.find((place) => one[place] !== two[place]);
}
