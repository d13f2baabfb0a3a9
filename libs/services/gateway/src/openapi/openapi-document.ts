import { z } from 'zod';
import { ERROR_STATUS, errorEnvelopeSchema, type ErrorCode, type JsonObject } from '@palimpsest/contracts';
import { OPERATIONS, type Operation } from '../http/operations.js';

const API_VERSION = '0.1.0';

const EVERYWHERE: readonly ErrorCode[] = ['validation_error', 'internal_error', 'service_unavailable'];
const WITH_KEY: readonly ErrorCode[] = ['unauthenticated', 'forbidden'];
const WITH_BODY: readonly ErrorCode[] = [
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_mismatch',
  'idempotency_in_flight',
];

/** OpenAPI 3.1, made from the schemas that requests are checked with. */
export function openApiDocument(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, each] of Object.entries<Operation>(OPERATIONS)) {
    paths[each.path] = { ...paths[each.path], [each.method.toLowerCase()]: operationObject(name, each) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Palimpsest',
      version: API_VERSION,
      description: 'Budgeted transcript windows, recorded summaries and exact replay for long agent runs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'pal_…' } },
      schemas: { Error: jsonSchema(errorEnvelopeSchema, 'output') },
    },
  };
}

function operationObject(name: string, each: Operation): JsonObject {
  return {
    operationId: name,
    summary: each.summary,
    description: [each.description, scopeNote(each)].filter(Boolean).join('\n\n'),
    ...(each.scopes === undefined && { security: [] }),
    parameters: [...pathParameters(each.path), ...queryParameters(each), ...headerParameters(name, each)],
    ...(each.body && {
      requestBody: {
        required: each.bodyOptional !== true,
        content: { 'application/json': { schema: jsonSchema(each.body, 'input') } },
      },
    }),
    responses: { [each.status]: success(name, each), ...failures(each) },
  };
}

function scopeNote({ scopes }: Operation): string {
  return scopes === undefined ? 'Public.' : `Scopes of the key: ${scopes.join(', ')}.`;
}

function success(name: string, each: Operation): JsonObject {
  return {
    description: 'Done.',
    content: {
      'application/json': { schema: jsonSchema(each.response, 'output') },
      ...(name === 'readEvents' && { 'text/event-stream': { schema: { type: 'string' } } }),
    },
  };
}

/** One response per status; its description lists the codes. */
function failures(each: Operation): JsonObject {
  const codes = new Set([
    ...EVERYWHERE,
    ...(each.scopes ? WITH_KEY : []),
    ...(each.method === 'POST' ? WITH_BODY : []),
    ...each.errors,
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes)
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'iteration' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));
}

/** A query travels as text: whole numbers are described as what they mean. */
function queryParameters({ query }: Operation): JsonObject[] {
  if (!query) return [];
  const schema = jsonSchema(query, 'input');
  return Object.entries((schema['properties'] ?? {}) as JsonObject).map(([name, property]) => ({
    name,
    in: 'query',
    required: false,
    schema: property,
  }));
}

function headerParameters(name: string, each: Operation): JsonObject[] {
  if (each.method === 'POST') {
    return [
      { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } },
    ];
  }
  return name === 'readEvents'
    ? [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }]
    : [];
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest)) as JsonObject;
}
