import { z } from 'zod';
import {
  ERROR_STATUS,
  errorEnvelopeSchema,
  type ErrorCode,
  type JsonObject,
  type JsonValue,
} from '@palimpsest/contracts';
import { PRODUCT_VERSION } from '../discovery/product-version.js';
import { ENGINE_VERSIONS } from '../domain/versions.js';
import { OPERATIONS, type Operation } from '../http/operations.js';

const EVERYWHERE: readonly ErrorCode[] = [
  'validation_error',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];
const WITH_KEY: readonly ErrorCode[] = ['unauthenticated', 'key_expired', 'key_revoked', 'forbidden'];
const WITH_BODY: readonly ErrorCode[] = ['payload_too_large'];
const WITH_JSON_BODY: readonly ErrorCode[] = ['unsupported_media_type'];
const WITH_IDEMPOTENCY_KEY: readonly ErrorCode[] = ['idempotency_key_mismatch', 'idempotency_in_flight'];

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
      version: PRODUCT_VERSION,
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
    responses: {
      [each.status]: success(name, each),
      ...(each.conditional && { 304: { description: 'As the client has it.' } }),
      ...failures(each),
    },
  };
}

function scopeNote({ scopes }: Operation): string {
  return scopes === undefined ? 'Public.' : `Scopes of the key: ${scopes.join(', ')}.`;
}

function success(name: string, each: Operation): JsonObject {
  const headers = successHeaders(name, each);
  return {
    description: 'Done.',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      [each.mediaType ?? 'application/json']: { schema: jsonSchema(each.response, 'output') },
      ...(name === 'readEvents' && { 'text/event-stream': { schema: { type: 'string' } } }),
    },
  };
}

function successHeaders(name: string, each: Operation): JsonObject {
  return {
    ...(name === 'createRun' && { Location: { schema: { type: 'string' } } }),
    ...(each.conditional && { ETag: { schema: { type: 'string' } } }),
    ...(isKeyed(each) && {
      'openwop-Idempotent-Replay': {
        description: 'There where this is what the same request was answered before.',
        schema: { type: 'string', enum: ['true'] },
      },
    }),
  };
}

/** What keeps nothing needs no key to be done once. */
function isKeyed({ method, keepsNothing }: Operation): boolean {
  return method !== 'GET' && keepsNothing !== true;
}

/** Each of them says when to ask again; of other codes with the same status none does. */
const LATER: readonly ErrorCode[] = [
  'rate_limited',
  'service_unavailable',
  'unsupported_engine_version',
  'idempotency_in_flight',
  'run_already_active',
];

/** One response per status; its description lists the codes. */
function failures(each: Operation): JsonObject {
  const codes = new Set([
    ...EVERYWHERE,
    ...(each.scopes ? WITH_KEY : []),
    ...(each.method !== 'GET' ? WITH_BODY : []),
    ...(each.method !== 'GET' && each.rawBody !== true ? WITH_JSON_BODY : []),
    ...(isKeyed(each) ? WITH_IDEMPOTENCY_KEY : []),
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
        ...(list.some((code) => LATER.includes(code)) && {
          headers: { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } },
        }),
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
  const required = (schema['required'] ?? []) as readonly JsonValue[];
  return Object.entries((schema['properties'] ?? {}) as JsonObject).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }));
}

function headerParameters(name: string, each: Operation): JsonObject[] {
  return [
    ...(isKeyed(each) ? [header('Idempotency-Key', { type: 'string', maxLength: 255 })] : []),
    ...(name === 'createRun'
      ? [FORCED_VERSION, header('X-Dedup', { type: 'string', enum: ['enforce'] })]
      : []),
    ...(name === 'readEvents' ? [header('Last-Event-ID', { type: 'string' })] : []),
    ...(each.conditional ? [header('If-None-Match', { type: 'string' })] : []),
  ];
}

function header(name: string, schema: JsonObject): JsonObject {
  return { name, in: 'header', required: false, schema };
}

const FORCED_VERSION: JsonObject = {
  ...header('X-Force-Engine-Version', {
    type: 'integer',
    minimum: ENGINE_VERSIONS.min,
    maximum: ENGINE_VERSIONS.max,
  }),
  description: 'Test keys only.',
};

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const {
    $schema: _dialect,
    $defs: _recursive,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest), withoutLocalReference) as JsonObject;
}

/**
 * `#/$defs/…` points to the root of the whole document once its schema stands in there. Only values that hold
 * themselves have such a definition: any JSON value, which the empty schema says too.
 */
function withoutLocalReference(_key: string, value: JsonValue): JsonValue {
  const reference = isObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith('#/$defs/') ? {} : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
