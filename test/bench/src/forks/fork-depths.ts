import type { BenchContext, Row } from '../bench-group.js';
import { TENANT, type SampleRun } from '../measure/sample-run.js';
import { median } from '../measure/statistics.js';
import { steadyRun, timedTurn } from '../windows/steady-state.js';
import type { ForkPorts } from './fork-ports.js';

const DEPTHS = [1, 4, 16] as const;
const SOURCE_EVENTS = 2000;
/** Of every fork before the next one leaves it: a page at the head of the deepest takes from several of them. */
const OWN_TURNS = 10;
const PAGE = 100;

/** Forks of forks of forks: reading the newest page of one, and going on with it. */
export async function forkDepths(ports: ForkPorts, context: BenchContext): Promise<Row[]> {
  context.progress('forks: forks of forks');
  const forks = await chainOfForks(ports);
  const pages = forks.map((): number[] => []);
  const windows = forks.map((): number[] => []);
  for (let round = 0; round < (context.quick ? 60 : 300); round += 1)
    for (const [place, fork] of forks.entries()) pages[place]?.push(await pageTime(ports, fork));
  for (let round = 0; round < (context.quick ? 10 : 60); round += 1)
    for (const [place, fork] of forks.entries()) windows[place]?.push((await timedTurn(fork)).ms);
  return [
    ...rowsOf(`a page of ${PAGE} events at the head of a fork`, pages),
    ...rowsOf('the next window of a fork', windows),
  ];
}

/** The runs at the depths measured, of one line of branches, each at the head of the one before. */
async function chainOfForks({ replay, services }: ForkPorts): Promise<SampleRun[]> {
  let run = await steadyRun(services, 'depth-0', SOURCE_EVENTS);
  const forks: SampleRun[] = [];
  for (let depth = 1; depth <= Math.max(...DEPTHS); depth += 1) {
    const forkRunId = `depth-${depth}`;
    const fromSeq = run.events;
    await replay.fork({ tenantId: TENANT, runId: run.runId, forkRunId, mode: 'branch', fromSeq });
    run = run.branched(forkRunId);
    for (let turn = 0; turn < OWN_TURNS; turn += 1) await timedTurn(run);
    if (DEPTHS.some((wanted) => wanted === depth)) forks.push(run);
  }
  return forks;
}

async function pageTime({ services }: ForkPorts, { runId, events }: SampleRun): Promise<number> {
  const started = performance.now();
  await services.log.readRun({ tenantId: TENANT, runId, fromSequence: events - PAGE });
  return performance.now() - started;
}

function rowsOf(what: string, times: readonly (readonly number[])[]): Row[] {
  const shallow = median(times[0] ?? []);
  return times.map((ofDepth, place) => ({
    group: 'forks',
    case: `${what} of depth ${DEPTHS[place]}`,
    value: median(ofDepth),
    unit: 'ms',
    ...(place > 0 && {
      ratio: median(ofDepth) / shallow,
      baseline: `depth ${DEPTHS[0]}`,
      target: 'ratio ≤ 1.5',
    }),
  }));
}
