import type { WindowPlan } from '@palimpsest/contracts';
import { SampleRun } from '../measure/sample-run.js';
import type { Services } from '../measure/services.js';

/** Turns after which a run filled in bulk has compacted for real and looks as any other. */
const WARM_UP = 40;

export type TimedWindow = { readonly plan: WindowPlan; readonly ms: number };

/** A run of so many events, in the steady state. */
export async function steadyRun(services: Services, runId: string, events: number): Promise<SampleRun> {
  const run = await SampleRun.start(services, runId);
  await run.fillTo(events - 2 * WARM_UP);
  for (let turn = 0; turn < WARM_UP; turn += 1) await timedTurn(run);
  return run;
}

/** One message, then its window, which is what is timed. */
export async function timedTurn(run: SampleRun): Promise<TimedWindow> {
  await run.say();
  const started = performance.now();
  const plan = await run.window();
  return { plan, ms: performance.now() - started };
}

export async function timedTurns(run: SampleRun, turns: number): Promise<TimedWindow[]> {
  const windows: TimedWindow[] = [];
  for (let turn = 0; turn < turns; turn += 1) windows.push(await timedTurn(run));
  return windows;
}
