import {
  NODE_COMPLETED,
  NODE_FAILED,
  REPLAY_DIVERGED,
  type JsonObject,
  type JsonValue,
  type NewRunEvent,
  type RecordedEvent,
  type ReplayDiverged,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { canonicalStored } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import { isReExecuted, reExecuted } from '@palimpsest/workflow';

/** A run right before one of its events. */
export type Before = { readonly definition: WorkflowDefinition; readonly state: WorkflowRunState };

/**
 * `replay.diverged` where an event is the end of a node whose work is pure, and the node, executed again, does not end so
 * (host specification §4.8, §6.5). It names the place and what differs, and shows neither of the two outcomes.
 */
export function outputDivergence(
  event: RecordedEvent,
  { definition, state }: Before,
): NewRunEvent | undefined {
  const { nodeId, runId } = event;
  if (nodeId === undefined || !isEnd(event) || !isReExecuted(definition, nodeId)) return undefined;
  const again = reExecuted({ runId, definition, state, nodeId, redact: redactJson });
  const difference = differenceOf(event, again);
  if (!difference) return undefined;
  const payload: ReplayDiverged = {
    sourceRunId: runId,
    atSequence: event.sequence,
    originalEventId: event.eventId,
    ...difference,
    nodeId,
  };
  return { type: REPLAY_DIVERGED, nodeId, payload: payload as JsonObject, schemaVersion: 1 };
}

function isEnd({ type }: RecordedEvent): boolean {
  return type === NODE_COMPLETED || type === NODE_FAILED;
}

type Difference = Pick<ReplayDiverged, 'divergenceKind' | 'divergencePoint'>;
const POINTS = ['outputs', 'error', 'attempts'] as const;

function differenceOf(recorded: RecordedEvent, again: NewRunEvent | undefined): Difference | undefined {
  if (!again) return { divergenceKind: 'missing', divergencePoint: 'type' };
  if (again.type !== recorded.type) return { divergenceKind: 'type-mismatch', divergencePoint: 'type' };
  if (textOf(again.payload) === textOf(recorded.payload)) return undefined;
  const point = POINTS.find((member) => textOf(again.payload[member]) !== textOf(recorded.payload[member]));
  return { divergenceKind: 'output', divergencePoint: point ?? 'payload' };
}

function textOf(value: JsonValue | undefined): string {
  return canonicalStored(value ?? null);
}
