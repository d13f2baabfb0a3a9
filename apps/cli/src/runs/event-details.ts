import type { RunEvent } from '@palimpsest/client';
import { count, plural } from '../output/text.js';

type Event = Pick<RunEvent, 'type' | 'payload' | 'nodeId'>;
type Payload = Readonly<Record<string, unknown>>;

/** What a line of a log says of an event: ids, counts and codes. Texts that a payload carries are left out of it. */
export function eventDetails(event: Event): string {
  const describe = DETAILS[event.type];
  return describe ? describe(event.payload, event) : '';
}

const number = (value: unknown): string => (typeof value === 'number' ? count(value) : '?');
const word = (value: unknown): string => (typeof value === 'string' ? value : '?');
const length = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const words = (...all: readonly unknown[]): string =>
  all.filter((each) => typeof each === 'string').join(' ');
const inner = (value: unknown): Payload =>
  typeof value === 'object' && value !== null ? (value as Payload) : {};
const codeOf = (value: unknown): unknown => inner(value)['code'];

function startDetails({ configurable, workflowId }: Payload): string {
  const { transcriptTokenBudget, tokenCounter, strategy } = inner(inner(configurable)['context']);
  if (transcriptTokenBudget === undefined) return word(workflowId);
  return `budget ${number(transcriptTokenBudget)} ${word(tokenCounter)}, ${word(strategy)}`;
}

/** Of the other members their names: what they hold is the caller's. */
function overlayDetails({ context, ...others }: Payload): string {
  const names = ['configurable', 'tags', 'metadata', 'bounds'].filter((name) => name in others);
  const settings = context === undefined ? [] : [startDetails({ configurable: { context } })];
  return [...settings, ...names].join(', ') || 'nothing';
}

function messageDetails({ role, toolCallIds }: Payload): string {
  const calls = length(toolCallIds);
  return role === 'assistant' && calls > 0 ? `assistant, ${plural(calls, 'tool call')}` : word(role);
}

function decisionDetails({ iteration, decision }: Payload): string {
  const { kind, nextWorkerIds } = inner(decision);
  const workers = Array.isArray(nextWorkerIds) ? nextWorkerIds.join(',') : undefined;
  return `turn ${number(iteration)}: ${words(word(kind), workers)}`;
}

type Describe = (payload: Payload, event: Event) => string;

const ofNode: Describe = ({ nodeId, error, lastError, kind, reason }, event) =>
  words(nodeId ?? event.nodeId, codeOf(error), codeOf(lastError), kind ?? reason);
const ofPin: Describe = ({ pinId, pinnedEventId }) =>
  typeof pinnedEventId === 'string' ? `${word(pinId)} of ${pinnedEventId}` : word(pinId);
const ofWorker: Describe = ({ workerId }) => word(workerId);

const DETAILS: Readonly<Record<string, Describe>> = {
  'run.started': startDetails,
  'palimpsest.run.overlaid': overlayDetails,
  'run.failed': ({ error, failedNodeId }) => words(codeOf(error), failedNodeId),
  'run.cancelled': ({ reason }) => words(reason),
  'palimpsest.run.cancelling': ({ reason }) => words(reason),
  'node.started': ofNode,
  'node.completed': ofNode,
  'node.failed': ofNode,
  'node.suspended': ofNode,
  'node.resumed': ofNode,
  'node.retried': ofNode,
  'node.skipped': ofNode,
  'node.cancelled': ofNode,
  'node.dispatched': ({ childWorkflowId, childStatus }, { nodeId }) =>
    words(nodeId, childWorkflowId, childStatus),
  'interrupt.requested': ({ kind }, { nodeId }) => words(kind, nodeId),
  'interrupt.resolved': ({ kind, nodeId }, event) => words(kind, nodeId ?? event.nodeId),
  'approval.received': ({ action, nodeId }, event) => words(action, nodeId ?? event.nodeId),
  'clarification.resolved': ofNode,
  'cap.breached': ({ kind, observed, limit }) => `${word(kind)} ${number(observed)}/${number(limit)}`,
  'provider.usage': ({ inputTokens, outputTokens, nodeId }, event) =>
    words(`${number(inputTokens)} in, ${number(outputTokens)} out`, nodeId ?? event.nodeId),
  'runOrchestrator.decided': decisionDetails,
  'core.workflowChain.event': ({ phase, workerId, error }) => words(phase, workerId, codeOf(error)),
  'core.workflowChain.confidence-escalated': ({ escalationKind, confidence, floor }) =>
    `${word(escalationKind)}: ${String(confidence)} below ${String(floor)}`,
  'variable.changed': ({ name }) => word(name),
  'replay.diverged': ({ divergencePoint, nodeId, atSequence }) =>
    words(nodeId, divergencePoint, `at ${number(atSequence)}`),
  'replay.divergedAtRefusal': ({ originalEnvelopeKind, replayEnvelopeKind }) =>
    `${word(originalEnvelopeKind)} → ${word(replayEnvelopeKind)}`,
  'palimpsest.worker.returned': ofWorker,
  'palimpsest.pin.added': ofPin,
  'palimpsest.pin.removed': ofPin,
  'palimpsest.instruction.added': () => 'system',
  'palimpsest.message.appended': messageDetails,
  'context.summarized': (payload) =>
    `window ${number(payload['iteration'])}: ${plural(length(payload['replacedTurns']), 'entry', 'entries')}, ` +
    `${number(payload['tokensBefore'])} → ${number(payload['tokensAfter'])} tokens`,
  'palimpsest.window.planned': (payload) =>
    `window ${number(payload['iteration'])}: ${number(payload['tokenCount'])} of ${number(payload['unboundedTokenCount'])} tokens`,
};
