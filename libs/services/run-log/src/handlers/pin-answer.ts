import {
  eventIdOf,
  pinnedTokens,
  type JsonValue,
  type PinAnswer,
  type PinsState,
  type RemovePin,
} from '@palimpsest/contracts';
import { NotFoundError, type AppendResult } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

/** Where a command on a pin was recorded, and what the run's pins count together as they stand. */
export async function answerPin(
  { eventLog }: RunLogPorts,
  { tenantId, runId, pinId }: RemovePin,
  { lastSequence: sequence }: AppendResult,
): Promise<JsonValue> {
  const header = await eventLog.header(tenantId, runId);
  if (!header) throw new NotFoundError('The run', { runId });
  // States of both kinds of run keep their pins alike; the log wrote them.
  const { pins } = header.state as { readonly pins?: PinsState };
  const answer: PinAnswer = {
    pinId,
    eventId: eventIdOf(runId, sequence),
    sequence,
    pinnedTokens: pinnedTokens(pins ? { pins } : {}),
  };
  return answer;
}
