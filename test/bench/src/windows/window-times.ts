import type { BenchContext, Row } from '../bench-group.js';
import { median, percentile } from '../measure/statistics.js';
import type { Services } from '../measure/services.js';
import { steadyRun, timedTurn } from './steady-state.js';

/** The same window on runs of different length; the runs take turns, so that a slow moment is everybody's. */
export async function windowTimes(services: Services, context: BenchContext): Promise<Row[]> {
  const sizes = context.quick ? [100, 1000, 10_000] : [100, 10_000, 100_000];
  const runs = [];
  for (const size of sizes) {
    context.progress(`windows: a run of ${size} events`);
    runs.push(await steadyRun(services, `events-${size}`, size));
  }
  context.progress('windows: turns');
  const times = runs.map((): number[] => []);
  for (let turn = 0; turn < (context.quick ? 40 : 150); turn += 1)
    for (const [place, run] of runs.entries()) times[place]?.push((await timedTurn(run)).ms);
  const shortest = median(times[0] ?? []);
  return times.map((ofRun, place) => ({
    group: 'windows',
    case: `window of a run of ${sizes[place]} events, p50 (p95 ${percentile(ofRun, 0.95).toFixed(1)})`,
    value: median(ofRun),
    unit: 'ms',
    ...(place > 0 && {
      ratio: median(ofRun) / shortest,
      baseline: `${sizes[0]} events`,
      target: 'ratio ≤ 1.5',
    }),
  }));
}
