import type { ForkRun } from '@palimpsest/contracts';
import { NotFoundError, replayFlagsOf, SequenceConflictError } from '@palimpsest/kernel';
import { ReplayContextSummaryUnavailableError } from '../domain/fork.errors.js';
import { targetOf, type ForkJob } from '../domain/fork-job.js';
import { forkPointOf } from '../domain/fork-point.js';
import { lastToRepeat } from '../fork/last-to-repeat.js';
import type { ReplayPorts } from '../replay-ports.js';
import { allReadable } from './all-readable.js';
import { artifactsOfBranch, artifactsOfReplay } from './context-artifacts.js';
import { feedsErased } from './erased-content.js';

/**
 * Whether a fork may be made, in the order of host specification §6.3: the source, the place, the summaries.
 * Writes nothing, so a refused fork leaves nothing. A source still going is taken as of now.
 */
export async function preflightFork(ports: ReplayPorts, command: ForkRun): Promise<ForkJob> {
  const { tenantId, runId: sourceRunId, forkRunId, mode, overlay, overlayDigest } = command;
  const source = await ports.eventLog.header(tenantId, sourceRunId);
  if (!source) throw new NotFoundError('The run', { runId: sourceRunId });
  const taken = await ports.eventLog.header(tenantId, forkRunId);
  if (taken) throw new SequenceConflictError(forkRunId, 'no-run', taken.head);
  const fromSeq = forkPointOf(command, source);
  // one that a newer version started is forked by that version
  replayFlagsOf(source);
  const place = { tenantId, sourceRunId, fromSeq, last: source.head };
  const artifacts =
    mode === 'replay' ? artifactsOfReplay(ports.eventLog, place) : artifactsOfBranch(ports.eventLog, place);
  const readable = await allReadable(ports.artifacts, tenantId, artifacts);
  if (!readable || (mode === 'replay' && (await feedsErased(ports, place))))
    throw new ReplayContextSummaryUnavailableError(sourceRunId, fromSeq);
  const last = await lastToRepeat(ports.eventLog, source, fromSeq);
  const target = targetOf(mode, { fromSeq, last, overlay });
  const asked = { ...(overlay && { overlay }), ...(overlayDigest !== undefined && { overlayDigest }) };
  return { tenantId, forkRunId, sourceRunId, mode, fromSeq, ...target, ...asked };
}
