import { operationsOf, type OpenApiDocument, type Operation } from './openapi.js';
import type { JsonSchema } from './json-schema.js';

const refusals = {
  422: { description: 'capability_required' },
  400: { description: 'validation_error, invalid_argument, provider_usage_credential_leak' },
  401: { description: 'unauthenticated, key_expired, key_revoked' },
  403: { description: 'forbidden' },
  404: { description: 'not_found' },
  413: { description: 'payload_too_large' },
  415: { description: 'unsupported_media_type' },
};

const text = { type: 'string', maxLength: 256 };
const record = { type: 'object', additionalProperties: {} };

const registration: JsonSchema = {
  type: 'object',
  properties: {
    workflowId: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,127}$' },
    nodes: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: {
        type: 'object',
        properties: {
          nodeId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$' },
          typeId: { type: 'string', pattern: '^[a-z][a-zA-Z0-9._-]*$', maxLength: 128 },
          name: { type: 'string', minLength: 1, maxLength: 256 },
          config: record,
        },
        required: ['nodeId', 'typeId'],
        additionalProperties: false,
      },
    },
    variables: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 128 },
          type: { type: 'string', enum: ['string', 'number', 'boolean', 'object', 'array'] },
          required: { type: 'boolean' },
        },
        required: ['name', 'type'],
        additionalProperties: false,
      },
    },
    settings: { type: 'object', properties: { timeout: { type: 'integer', minimum: 0 } } },
    metadata: { type: 'object' },
    description: { type: 'string', maxLength: 10_000 },
    configurableSchema: record,
  },
  required: ['workflowId', 'nodes'],
  additionalProperties: false,
};

const request: JsonSchema = {
  type: 'object',
  properties: {
    provider: { type: 'string', minLength: 1 },
    model: { type: 'string', minLength: 1 },
    messages: { type: 'array', minItems: 1, items: {} },
  },
  required: ['provider', 'model', 'messages'],
};

const wholeNumber: JsonSchema = { type: 'string', pattern: '^-?\\d{1,15}$' };

const program: JsonSchema = {
  type: 'object',
  properties: {
    nodeId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$' },
    program: {
      type: 'array',
      maxItems: 256,
      items: {
        type: 'object',
        properties: {
          content: { type: 'string', maxLength: 65_536 },
          stopReason: { type: 'string', minLength: 1, maxLength: 64 },
          refusalText: { type: 'string', maxLength: 4096 },
        },
        required: ['content', 'stopReason'],
        additionalProperties: false,
      },
    },
  },
  required: ['nodeId', 'program'],
  additionalProperties: false,
};

const count: JsonSchema = { type: 'integer', minimum: 0 };

const usage: JsonSchema = {
  type: 'object',
  properties: {
    provider: { type: 'string', minLength: 1 },
    model: { type: 'string', minLength: 1 },
    inputTokens: count,
    outputTokens: count,
    totalTokens: count,
    cacheHit: { type: 'boolean' },
  },
  required: ['provider', 'model', 'inputTokens', 'outputTokens'],
  additionalProperties: false,
};

const nodeId: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$' };

const turn: JsonSchema = { type: 'integer', minimum: 1, maximum: 50 };

const agentLoop: JsonSchema = {
  type: 'object',
  properties: { turns: turn, resume: { type: 'boolean' } },
  required: ['turns'],
};

const body = (schema: JsonSchema) => ({ required: true, content: { 'application/json': { schema } } });
const query = (name: string) => ({ name, in: 'query', schema: text });

/** The served document leaves the seams of conformance tests out (host specification §9): this is theirs. */
const SEAMS: OpenApiDocument = {
  paths: {
    '/v1/host/sample/workflows': {
      post: {
        operationId: 'registerWorkflow',
        description: 'Scopes of the key: runs:create.',
        requestBody: body(registration),
        responses: refusals,
      },
    },
    '/v1/host/sample/test/runs/{runId}/events': {
      get: {
        operationId: 'readTestEvents',
        description: 'Scopes of the key: runs:read.',
        parameters: ['type', 'correlationId', 'causationId', 'nodeId'].map(query),
        responses: refusals,
      },
    },
    '/v1/host/sample/test/llm-cache-key': {
      post: { operationId: 'readCacheKey', requestBody: body(request), responses: refusals },
    },
    '/v1/host/sample/agent/transcript-window': {
      get: {
        operationId: 'readTranscriptWindow',
        description: 'Scopes of the key: runs:read.',
        parameters: [query('runId'), { name: 'iteration', in: 'query', schema: wholeNumber }],
        responses: refusals,
      },
    },
    '/v1/host/sample/test/mock-ai/program': {
      post: {
        operationId: 'programMock',
        description: 'Scopes of the key: runs:create.',
        requestBody: body(program),
        responses: refusals,
      },
    },
    '/v1/host/sample/test/side-effects': {
      get: {
        operationId: 'countSideEffects',
        description: 'Scopes of the key: runs:read.',
        parameters: [{ name: 'nodeId', in: 'query', schema: nodeId }],
        responses: refusals,
      },
    },
    '/v1/host/sample/test/emit-provider-usage': {
      post: {
        operationId: 'emitProviderUsage',
        description: 'Scopes of the key: runs:create.',
        requestBody: body(usage),
        responses: refusals,
      },
    },
    '/v1/host/sample/agentloop/run': {
      post: {
        operationId: 'runAgentLoop',
        description: 'Scopes of the key: runs:create, runs:read, approvals:respond.',
        requestBody: body(agentLoop),
        responses: refusals,
      },
    },
  },
};

export const SEAM_OPERATIONS: readonly Operation[] = operationsOf(SEAMS).map((operation) => ({
  ...operation,
  scopesLast: true,
}));
