import { scaled } from './deadlines.js';
import type { Host } from './host.js';
import { eventsOf, startRun, waitForEnd, type EndedRun } from './runs.js';

/** A loop whose turns a real model decides; the host's own shape of it (host specification §10.2). */
export const LIVE = 'conformance-context-budget-live';

/** Host specification §9.2. */
const LIVE_MS = 180_000;

const runs = new WeakMap<Host, Promise<EndedRun>>();

/** One run of the live workflow from its start to its end, for every row that looks at one. */
export function liveRun(host: Host): Promise<EndedRun> {
  const known = runs.get(host);
  if (known) return known;
  const run = ended(host);
  runs.set(host, run);
  return run;
}

async function ended(host: Host): Promise<EndedRun> {
  const runId = await startRun(host, LIVE);
  const snapshot = await waitForEnd(host, runId, scaled(LIVE_MS));
  return { runId, snapshot, events: await eventsOf(host, runId) };
}
