import type { z } from 'zod';
import {
  runStatusAnswerSchema,
  usageSchema,
  verificationSchema,
  workflowDefinitionSchema,
  type ErrorCode,
} from '@palimpsest/contracts';
import type { Scope } from '../domain/api-key.js';
import { CERTIFICATE_OPERATIONS } from './certificate-operations.js';
import { COMPARISON_OPERATIONS } from './comparison-operations.js';
import { PLATFORM_OPERATIONS } from './platform-operations.js';
import { REGISTRY_OPERATIONS } from './registry-operations.js';
import {
  addPinRequestSchema,
  appendTurnsRequestSchema,
  bulkCancelRequestSchema,
  cancelRunRequestSchema,
  createRunRequestSchema,
  finishRunRequestSchema,
  forkRunRequestSchema,
  listRunsQuerySchema,
  planWindowRequestSchema,
  resolveInterruptRequestSchema,
  usagePageQuerySchema,
  windowQuerySchema,
} from '../domain/requests.js';
import { eventStreamQuerySchema } from '../domain/event-stream-request.js';
import { pollQuerySchema } from '../domain/poll-request.js';
import {
  addedPinSchema,
  appendedTurnsSchema,
  artifactSchema,
  bulkCancelAnswerSchema,
  createdRunSchema,
  erasedArtifactsSchema,
  erasedContentSchema,
  eventListSchema,
  eventPollSchema,
  forkAnswerSchema,
  pinListSchema,
  removedPinSchema,
  runListSchema,
  runSnapshotSchema,
  shownInterruptSchema,
  windowDocumentSchema,
} from '../openapi/response-schemas.js';

export type Operation = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in OpenAPI: `{name}` for a parameter. */
  readonly path: string;
  /** Absent: for everybody, without a key. */
  readonly scopes?: readonly Scope[];
  readonly status: 200 | 201;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodyOptional?: boolean;
  /** Takes bodies up to the host's limit; the others end at {@link SMALL_BODY_BYTES}. */
  readonly largeBody?: boolean;
  /** Takes bodies of so many bytes, where the host's limit is not lower. */
  readonly bodyBytes?: number;
  /** Is given the bytes as they came, of whatever type, and of {@link bodyBytes} at most whatever the host's limit. */
  readonly rawBody?: boolean;
  /** Changes nothing, so that it takes no idempotency key: asked again it is answered anew. */
  readonly keepsNothing?: boolean;
  readonly response: z.ZodType;
  /** Of what it answers, where that is not JSON. */
  readonly mediaType?: string;
  /** Has an ETag, and answers 304 to it. */
  readonly conditional?: boolean;
  /** What it answers beside the codes that every operation may. */
  readonly errors: readonly ErrorCode[];
};

/** No command but turns has more to say: the event it becomes ends at 64 KiB. */
export const SMALL_BODY_BYTES = 256 * 1024;

/** Every operation of the API: the one list that routes, scopes, 405 answers and the OpenAPI document come from. */
export const OPERATIONS = {
  createRun: {
    method: 'POST',
    path: '/v1/runs',
    scopes: ['runs:create'],
    status: 201,
    summary: 'Start a run of a workflow, or one whose loop is yours',
    description:
      'With workflowId "palimpsest-external" the loop is yours: configurable.context declares the token budget of its transcript windows, and the answer holds the settings in effect. Any other workflow is executed by the host: where it has an execution loop, configurable.context may lower the host’s budget and names no other unit; inputs and configurable are checked against it here, and secrets in what is recorded are redacted. "X-Dedup: enforce" refuses a second run of the same workflow and scopeId beside one that has not ended.',
    body: createRunRequestSchema,
    response: createdRunSchema,
    errors: [
      'context_budget_infeasible',
      'force_engine_version_forbidden',
      'unsupported_force_engine_version',
      'mock_provider_forbidden',
      'not_found',
      'run_already_active',
      'payload_too_large',
      'capability_required',
    ],
  },
  listRuns: {
    method: 'GET',
    path: '/v1/runs',
    scopes: ['runs:read'],
    status: 200,
    summary: 'List runs, newest first',
    query: listRunsQuerySchema,
    response: runListSchema,
    errors: [],
  },
  readRun: {
    method: 'GET',
    path: '/v1/runs/{runId}',
    scopes: ['runs:read'],
    status: 200,
    summary: 'Read a run’s snapshot',
    description:
      'interrupt is what the run waits for; its token is shown to keys with approvals:respond. The ETag changes with every event of the run.',
    response: runSnapshotSchema,
    conditional: true,
    errors: ['not_found'],
  },
  cancelRun: {
    method: 'POST',
    path: '/v1/runs/{runId}/cancel',
    scopes: ['runs:cancel'],
    status: 200,
    summary: 'Cancel a run',
    description:
      'A run that has ended stays as it is: the answer is its status. A replay that has yet to repeat its source does not end before.',
    body: cancelRunRequestSchema,
    bodyOptional: true,
    response: runStatusAnswerSchema,
    errors: ['not_found', 'run_not_active'],
  },
  bulkCancelRuns: {
    method: 'POST',
    path: '/v1/runs:bulk-cancel',
    scopes: ['runs:cancel'],
    status: 200,
    summary: 'Cancel up to 100 runs',
    description: 'One result for each id, in their order. 200 even where none could be cancelled.',
    body: bulkCancelRequestSchema,
    response: bulkCancelAnswerSchema,
    errors: [],
  },
  resolveInterrupt: {
    method: 'POST',
    path: '/v1/runs/{runId}/interrupts/{nodeId}',
    scopes: ['approvals:respond'],
    status: 200,
    summary: 'Answer what a node of a run waits for',
    body: resolveInterruptRequestSchema,
    response: runStatusAnswerSchema,
    errors: [
      'not_found',
      'interrupt_not_found',
      'interrupt_already_resolved',
      'interrupt_cancelled',
      'correlation_mismatch',
    ],
  },
  inspectInterrupt: {
    method: 'GET',
    path: '/v1/interrupts/{token}',
    status: 200,
    summary: 'Read the interrupt that a token stands for',
    description: 'The token is the credential: no key is asked for.',
    response: shownInterruptSchema,
    errors: ['not_found', 'interrupt_not_found', 'interrupt_already_resolved', 'interrupt_expired'],
  },
  resolveByToken: {
    method: 'POST',
    path: '/v1/interrupts/{token}',
    status: 200,
    summary: 'Answer the interrupt that a token stands for',
    description:
      'The token is the credential: no key is asked for. One with the intent "inspect" answers nothing.',
    body: resolveInterruptRequestSchema,
    response: runStatusAnswerSchema,
    errors: [
      'forbidden',
      'not_found',
      'interrupt_not_found',
      'interrupt_already_resolved',
      'interrupt_expired',
      'correlation_mismatch',
    ],
  },
  readWorkflow: {
    method: 'GET',
    path: '/v1/workflows/{workflowId}',
    scopes: ['manifest:read'],
    status: 200,
    summary: 'Read the definition of a workflow',
    response: workflowDefinitionSchema,
    conditional: true,
    errors: ['not_found'],
  },
  forkRun: {
    method: 'POST',
    path: '/v1/runs/{runId}:fork',
    scopes: ['runs:create', 'runs:read'],
    status: 201,
    summary: 'Fork a run: replay what was recorded, or branch off',
    description:
      'runOptionsOverlay is for a branch: the settings it runs on under, as the event palimpsest.run.overlaid records them. tags are replaced; configurable, its context and metadata are laid over those of the source.',
    body: forkRunRequestSchema,
    response: forkAnswerSchema,
    errors: [
      'not_found',
      'sequence_conflict',
      'context_budget_infeasible',
      'mock_provider_forbidden',
      'payload_too_large',
      'replay_context_summary_unavailable',
      'invalid_from_seq',
      'unsupported_engine_version',
    ],
  },
  appendTurns: {
    method: 'POST',
    path: '/v1/runs/{runId}/turns',
    scopes: ['runs:create'],
    status: 201,
    summary: 'Append chat messages',
    description:
      'OpenAI chat messages: system, user, assistant with tool_calls, tool. All are appended, or none. expectedSequence is compared with lastMessageSequence (-1: no message yet).',
    body: appendTurnsRequestSchema,
    largeBody: true,
    response: appendedTurnsSchema,
    errors: [
      'not_found',
      'sequence_conflict',
      'run_not_active',
      'payload_too_large',
      'tool_result_without_call',
      'duplicate_tool_call_id',
      'unsupported_content',
    ],
  },
  planWindow: {
    method: 'POST',
    path: '/v1/runs/{runId}/windows',
    scopes: ['runs:create'],
    status: 200,
    summary: 'Take the window of the next model call',
    description:
      'Never above the budget, and recorded. Asked again before another message is appended, it answers the same window.',
    query: windowQuerySchema,
    body: planWindowRequestSchema,
    bodyOptional: true,
    response: windowDocumentSchema,
    errors: [
      'not_found',
      'sequence_conflict',
      'run_not_active',
      'artifact_erased',
      'unsupported_engine_version',
    ],
  },
  readWindow: {
    method: 'GET',
    path: '/v1/runs/{runId}/windows/{iteration}',
    scopes: ['runs:read'],
    status: 200,
    summary: 'Read a recorded window, and why each turn was fed, elided, summarized or evicted',
    query: windowQuerySchema,
    response: windowDocumentSchema,
    errors: ['not_found', 'artifact_erased'],
  },
  addPin: {
    method: 'POST',
    path: '/v1/runs/{runId}/pins',
    scopes: ['runs:create'],
    status: 201,
    summary: 'Pin a text, or what an event says: every window feeds it verbatim',
    description:
      'Either text or eventId. Of an own loop any message can be pinned, of a run with an execution loop any event of its transcript. Pins are within the budget, at most 64 a run: one that would leave no room for the turns to keep is refused.',
    body: addPinRequestSchema,
    largeBody: true,
    response: addedPinSchema,
    errors: [
      'not_found',
      'run_not_active',
      'context_budget_infeasible',
      'unsupported_content',
      'artifact_erased',
    ],
  },
  listPins: {
    method: 'GET',
    path: '/v1/runs/{runId}/pins',
    scopes: ['runs:read'],
    status: 200,
    summary: 'List what is pinned, oldest first',
    response: pinListSchema,
    errors: ['not_found'],
  },
  removePin: {
    method: 'DELETE',
    path: '/v1/runs/{runId}/pins/{pinId}',
    scopes: ['runs:create'],
    status: 200,
    summary: 'Remove a pin: windows taken from then on are without it',
    response: removedPinSchema,
    errors: ['not_found', 'run_not_active'],
  },
  readUsage: {
    method: 'GET',
    path: '/v1/runs/{runId}/usage',
    scopes: ['runs:read'],
    status: 200,
    summary: 'Tokens fed against the whole transcript, per iteration and in total',
    description:
      'At most 500 iterations a page: nextIteration, where there is one, is the next fromIteration. total is over the whole run.',
    query: usagePageQuerySchema,
    response: usageSchema,
    errors: ['not_found'],
  },
  readEvents: {
    method: 'GET',
    path: '/v1/runs/{runId}/events',
    scopes: ['runs:read'],
    status: 200,
    summary: 'Read the log, or follow it as server-sent events',
    description:
      'With "Accept: text/event-stream" the log is followed: id is the sequence, "Last-Event-ID" resumes after it, and the stream closes after the terminal event.',
    query: eventStreamQuerySchema,
    response: eventListSchema,
    errors: ['unsupported_stream_mode', 'not_found'],
  },
  pollEvents: {
    method: 'GET',
    path: '/v1/runs/{runId}/events/poll',
    scopes: ['runs:read'],
    status: 200,
    summary: 'Ask for the events after a sequence, and wait for them',
    description:
      'Answers at once where there are events after lastSequence (absent: all), or where the run has ended; else it waits up to timeout seconds. At most 500 events a page: go on from the last one until isComplete.',
    query: pollQuerySchema,
    response: eventPollSchema,
    errors: ['not_found'],
  },
  readArtifact: {
    method: 'GET',
    path: '/v1/runs/{runId}/artifacts/{artifactId}',
    scopes: ['artifacts:read'],
    status: 200,
    summary: 'Read content that the log refers to',
    response: artifactSchema,
    errors: ['not_found', 'artifact_erased'],
  },
  eraseArtifact: {
    method: 'DELETE',
    path: '/v1/runs/{runId}/artifacts/{artifactId}',
    scopes: ['artifacts:erase'],
    status: 200,
    summary: 'Erase content, with all summaries and cut texts that stand for it',
    description:
      'For every run that refers to it: the source, its forks, forks of these. artifactIds are all that is erased, the one named first; asked again, the answer is the same. Events stay, and windows that fed the content answer artifact_erased.',
    response: erasedArtifactsSchema,
    errors: ['not_found'],
  },
  eraseContent: {
    method: 'DELETE',
    path: '/v1/runs/{runId}/content',
    scopes: ['artifacts:erase'],
    status: 200,
    summary: 'Erase the content of a run that no other run uses',
    description:
      'The run gives up what it said and what it reads of its sources. A fork uses what its source said, also what came after the fork point. erased is how much this request erased: what was erased before is not counted. kept is how much of what was given up another run still uses; it goes with the last of them. Events stay. What the run says afterwards is not concerned.',
    response: erasedContentSchema,
    errors: ['not_found'],
  },
  finishRun: {
    method: 'POST',
    path: '/v1/runs/{runId}/finish',
    scopes: ['runs:create'],
    status: 200,
    summary: 'Complete a run',
    body: finishRunRequestSchema,
    bodyOptional: true,
    response: runSnapshotSchema,
    errors: ['not_found', 'run_not_active'],
  },
  verifyRun: {
    method: 'GET',
    path: '/v1/runs/{runId}/verification',
    scopes: ['runs:read'],
    status: 200,
    summary: 'Check the log of a run, derive every window again and compare',
    description:
      'Of a run of any kind: sequences, causes, the chain of hashes and the content that events name are checked, windows derived again, and a fork is compared with its source. firstDifference is the one of the lowest sequence.',
    response: verificationSchema,
    errors: ['not_found', 'unsupported_engine_version'],
  },
  ...CERTIFICATE_OPERATIONS,
  ...COMPARISON_OPERATIONS,
  ...REGISTRY_OPERATIONS,
  ...PLATFORM_OPERATIONS,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export function operation(name: OperationName): Operation {
  return OPERATIONS[name];
}
