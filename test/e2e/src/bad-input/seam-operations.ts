import { operationsOf, type OpenApiDocument, type Operation } from './openapi.js';
import type { JsonSchema } from './json-schema.js';

const refusals = {
  422: { description: 'capability_required' },
  400: { description: 'validation_error, invalid_argument' },
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
  },
};

export const SEAM_OPERATIONS: readonly Operation[] = operationsOf(SEAMS).map((operation) => ({
  ...operation,
  scopesLast: true,
}));
