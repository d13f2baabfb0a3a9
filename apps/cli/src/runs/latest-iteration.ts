import { ApiError } from '@palimpsest/client';
import type { PalimpsestApi } from '../client/palimpsest-api.js';
import { CliError, EXIT } from '../program/cli-error.js';

/**
 * The run's last recorded window. The usage report lists the first ones of a long run only: from there the
 * last is found by asking for windows twice as far each time, then halving.
 */
export async function latestIteration(api: PalimpsestApi, runId: string): Promise<number> {
  const { iterations, nextIteration } = await api.readUsage(runId);
  const listed = iterations.at(-1)?.iteration;
  if (listed === undefined) throw new NoWindowError(runId);
  return nextIteration === undefined ? listed : lastFrom(nextIteration, (at) => isRecorded(api, runId, at));
}

/** `known` is recorded. */
export async function lastFrom(
  known: number,
  recorded: (iteration: number) => Promise<boolean>,
): Promise<number> {
  let [there, step] = [known, 1];
  while (await recorded(there + step)) [there, step] = [there + step, step * 2];
  let missing = there + step;
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (await recorded(middle)) there = middle;
    else missing = middle;
  }
  return there;
}

async function isRecorded(api: PalimpsestApi, runId: string, iteration: number): Promise<boolean> {
  try {
    await api.readWindow(runId, iteration);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
}

class NoWindowError extends CliError {
  constructor(runId: string) {
    super(`${runId} has no window yet`, {
      code: 'no_window',
      exitCode: EXIT.server,
      hint: 'A window is recorded when it is asked for: POST /v1/runs/{runId}/windows.',
    });
  }
}
