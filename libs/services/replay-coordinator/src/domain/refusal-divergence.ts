import {
  NODE_COMPLETED,
  NODE_FAILED,
  REPLAY_DIVERGED_AT_REFUSAL,
  RUN_FAILED,
  type EnvelopeKind,
  type NewRunEvent,
  type RecordedEvent,
  type RunError,
  type WorkflowDefinition,
} from '@palimpsest/contracts';
import { STRUCTURED_OUTPUT } from '@palimpsest/workflow';

const MOCK_PROVIDER = 'mock';
const REFUSED = 'envelope_refusal';

/** A source's event that the replay's own call of the mock contradicts. */
export type Divergence = {
  readonly event: RecordedEvent;
  readonly original: EnvelopeKind;
  readonly replay: EnvelopeKind;
};

/** Nodes whose calls go to the provider `mock` again: its programs say what a replay is to meet. */
export function mockNodesOf({ nodes }: WorkflowDefinition): ReadonlySet<string> {
  const mocked = nodes.filter(
    ({ typeId, config }) => typeId === STRUCTURED_OUTPUT && config['provider'] === MOCK_PROVIDER,
  );
  return new Set(mocked.map(({ id }) => id));
}

/** What a node's recorded call came to; undefined for all other events and failures. */
export function recordedKind({ type, payload }: RecordedEvent): EnvelopeKind | undefined {
  if (type === NODE_COMPLETED) return 'valid';
  if (type !== NODE_FAILED) return undefined;
  return (payload['error'] as unknown as RunError).code === REFUSED ? 'refusal' : undefined;
}

/** How such a replay ends (host specification §4.8): never with another answer in the recorded one's place. */
export function divergedEvents({ event, original, replay }: Divergence): readonly NewRunEvent[] {
  const nodeId = event.nodeId ?? '';
  const payload = {
    sourceRunId: event.runId,
    atSequence: event.sequence,
    originalEnvelopeKind: original,
    replayEnvelopeKind: replay,
    originalEventId: event.eventId,
    nodeId,
  };
  const error = {
    code: 'replay_diverged_at_refusal',
    message: 'A model refuses in the replay or in its source, and answers in the other.',
  };
  return [
    { type: REPLAY_DIVERGED_AT_REFUSAL, nodeId, payload, schemaVersion: 1 },
    { type: RUN_FAILED, payload: { error, failedNodeId: nodeId }, schemaVersion: 1 },
  ];
}
