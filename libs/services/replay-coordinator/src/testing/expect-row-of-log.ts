import { checkLog } from '../verification/check-log.js';
import type { CoordinatorHarness } from './coordinator-harness.js';
import { FORK } from './coordinator-harness.js';

/** What holds for every fork, however it was made: what its row says is what its log adds up to. */
export async function expectRowOfLog(harness: CoordinatorHarness, runId = FORK): Promise<void> {
  const header = await harness.header(runId);
  if (header) expect((await checkLog(harness, header)).rowDifference).toBeUndefined();
}
