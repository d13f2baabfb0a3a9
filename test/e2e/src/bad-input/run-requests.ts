import type { BadRequest } from './bad-request.js';
import { badBodies } from './body-mutations.js';
import type { JsonSchema } from './json-schema.js';
import { jsonText } from './json-text.js';
import { requestTo, type Subject } from './subject.js';

const wholeNumber = { type: 'integer', minimum: 1 };

/** Keys that mean the same in every workflow (host specification §3.2). */
const RESERVED: JsonSchema = {
  type: 'object',
  properties: {
    recursionLimit: wholeNumber,
    runTimeoutMs: wholeNumber,
    maxLoopIterations: wholeNumber,
    maxTokens: wholeNumber,
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    escalationThreshold: { type: 'number', minimum: 0, maximum: 1 },
    model: { type: 'string', minLength: 1 },
  },
};

type Place = { readonly workflowId: string; readonly field: string; readonly schema: JsonSchema };

/**
 * Runs that the document's schema takes and their workflow does not: what the workflow asks of them stands in its
 * definition. `configurableSchema` is that of `conformance-configurable-schema`.
 */
export function badRuns(subject: Subject, configurableSchema: JsonSchema): readonly BadRequest[] {
  const payload: JsonSchema = {
    type: 'object',
    properties: { payload: { type: 'object' } },
    required: ['payload'],
  };
  return [
    ...within(subject, { workflowId: 'conformance-noop', field: 'configurable', schema: RESERVED }),
    ...within(subject, {
      workflowId: 'conformance-configurable-schema',
      field: 'configurable',
      schema: configurableSchema,
    }),
    ...within(subject, { workflowId: 'conformance-identity', field: 'inputs', schema: payload }),
    ...forbidden(subject),
  ];
}

function within(subject: Subject, { workflowId, field, schema }: Place): readonly BadRequest[] {
  const whole: JsonSchema = {
    type: 'object',
    properties: { [field]: schema },
    required: [field],
  };
  return badBodies({ schema: whole, body: { workflowId, [field]: example(field) } })
    .filter(({ label, refused }) => refused && label.startsWith(`body.${field}`))
    .map(({ label, text }) => ({
      label: `${workflowId}: ${label}`,
      refused: true,
      statuses: [400],
      request: requestTo(subject, { body: text }),
    }));
}

function example(field: string): object {
  return field === 'inputs' ? { payload: {} } : {};
}

function forbidden(subject: Subject): readonly BadRequest[] {
  const asked = (label: string, body: object, status: number, code: string): BadRequest => ({
    label,
    refused: true,
    statuses: [status],
    codes: [code],
    request: requestTo(subject, { body: jsonText({ workflowId: 'conformance-noop', ...body }) }),
  });
  return [
    asked('the tenant of another', { tenantId: 'other' }, 403, 'forbidden'),
    asked(
      'a stand-in for a provider, with a live key',
      { configurable: { mockProvider: { id: 'mock', config: {} } } },
      403,
      'mock_provider_forbidden',
    ),
    asked('an unknown workflow', { workflowId: 'no-such-workflow' }, 404, 'not_found'),
    ...[
      '__proto__',
      'constructor',
      'a/b',
      '../conformance-noop',
      'CONFORMANCE-NOOP',
      ' conformance-noop',
    ].map((workflowId) => asked(`the workflow ${workflowId}`, { workflowId }, 404, 'not_found')),
  ];
}

/** With a test key, which may force a version: one that is served. */
export function badVersions(subject: Subject, testKey: string): readonly BadRequest[] {
  return ['', '0', '-1', '1.5', '99', '1e1', 'one', '1, 1', '9'.repeat(40)].map((version) => ({
    label: `X-Force-Engine-Version: ${version.slice(0, 20)}, with a test key`,
    refused: true,
    statuses: [400],
    request: requestTo(subject, {
      headers: { authorization: `Bearer ${testKey}`, 'x-force-engine-version': version },
    }),
  }));
}
