import { z } from 'zod';
import { usageSchema, verificationSchema, type ErrorCode } from '@palimpsest/contracts';
import type { Scope } from '../domain/api-key.js';
import {
  appendTurnsRequestSchema,
  createRunRequestSchema,
  finishRunRequestSchema,
  forkRunRequestSchema,
  listRunsQuerySchema,
  planWindowRequestSchema,
  usagePageQuerySchema,
  windowQuerySchema,
} from '../domain/requests.js';
import { eventStreamQuerySchema } from '../domain/event-stream-request.js';
import {
  appendedTurnsSchema,
  artifactSchema,
  createdRunSchema,
  eventListSchema,
  forkAnswerSchema,
  runListSchema,
  runSnapshotSchema,
  windowDocumentSchema,
} from '../openapi/response-schemas.js';

export type Operation = {
  readonly method: 'GET' | 'POST';
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
  readonly response: z.ZodType;
  /** What it answers beside the codes that every operation may. */
  readonly errors: readonly ErrorCode[];
};

/** No command but turns has more to say: the event it becomes ends at 64 KiB. */
export const SMALL_BODY_BYTES = 256 * 1024;

const status = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.enum(['ok', 'failing'])).optional(),
});

/** Every operation of the API: the one list that routes, scopes, 405 answers and the OpenAPI document come from. */
export const OPERATIONS = {
  createRun: {
    method: 'POST',
    path: '/v1/runs',
    scopes: ['runs:create'],
    status: 201,
    summary: 'Start a run whose loop is yours',
    description:
      'workflowId is "palimpsest-external". configurable.context declares the token budget of its transcript windows; the answer holds the settings in effect.',
    body: createRunRequestSchema,
    response: createdRunSchema,
    errors: ['context_budget_infeasible', 'not_found', 'payload_too_large'],
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
    response: runSnapshotSchema,
    errors: ['not_found'],
  },
  forkRun: {
    method: 'POST',
    path: '/v1/runs/{runId}:fork',
    scopes: ['runs:create', 'runs:read'],
    status: 201,
    summary: 'Fork a run: replay what was recorded, or branch off',
    body: forkRunRequestSchema,
    response: forkAnswerSchema,
    errors: ['not_found', 'replay_context_summary_unavailable', 'invalid_from_seq'],
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
    errors: ['not_found', 'sequence_conflict', 'run_not_active', 'artifact_erased'],
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
  readArtifact: {
    method: 'GET',
    path: '/v1/runs/{runId}/artifacts/{artifactId}',
    scopes: ['artifacts:read'],
    status: 200,
    summary: 'Read content that the log refers to',
    response: artifactSchema,
    errors: ['not_found', 'artifact_erased'],
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
    summary: 'Derive every window of a run again and compare',
    response: verificationSchema,
    errors: ['not_found'],
  },
  openApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    status: 200,
    summary: 'This document',
    response: z.looseObject({ openapi: z.string() }),
    errors: [],
  },
  healthz: {
    method: 'GET',
    path: '/healthz',
    status: 200,
    summary: 'The process lives',
    response: status,
    errors: [],
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    status: 200,
    summary: 'The process can do its work; 503 where it cannot',
    response: status,
    errors: ['service_unavailable'],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export function operation(name: OperationName): Operation {
  return OPERATIONS[name];
}
