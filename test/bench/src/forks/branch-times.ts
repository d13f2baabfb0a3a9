import type { BenchContext, Row } from '../bench-group.js';
import { TENANT, type SampleRun } from '../measure/sample-run.js';
import { median } from '../measure/statistics.js';
import { steadyRun } from '../windows/steady-state.js';
import type { ForkPorts } from './fork-ports.js';

/** A branch at the head of a short and of a long run, with a message that no window has fed yet. */
export async function branchTimes(ports: ForkPorts, context: BenchContext): Promise<Row[]> {
  const sizes = context.quick ? [100, 5000] : [100, 100_000];
  const runs: SampleRun[] = [];
  for (const size of sizes) {
    context.progress(`forks: a run of ${size} events`);
    const run = await steadyRun(ports.services, `source-${size}`, size);
    await run.say();
    runs.push(run);
  }
  context.progress('forks: branches');
  const times = runs.map((): number[] => []);
  for (let round = 0; round < (context.quick ? 15 : 60); round += 1)
    for (const [place, run] of runs.entries())
      times[place]?.push(await branchTime(ports, run, `${run.runId}-branch-${round}`));
  const shortest = median(times[0] ?? []);
  return times.map((ofRun, place) => ({
    group: 'forks',
    case: `branch at the head of a run of ${sizes[place]} events, to its first window`,
    value: median(ofRun),
    unit: 'ms',
    ...(place > 0 && {
      ratio: median(ofRun) / shortest,
      baseline: `${sizes[0]} events`,
      target: 'ratio ≤ 2',
    }),
  }));
}

async function branchTime(
  { replay, services }: ForkPorts,
  source: SampleRun,
  forkRunId: string,
): Promise<number> {
  const fromSeq = source.events;
  const started = performance.now();
  await replay.fork({ tenantId: TENANT, runId: source.runId, forkRunId, mode: 'branch', fromSeq });
  await services.assembler.planWindow.handle({
    tenantId: TENANT,
    runId: forkRunId,
    asOfSequence: fromSeq - 1,
  });
  return performance.now() - started;
}
