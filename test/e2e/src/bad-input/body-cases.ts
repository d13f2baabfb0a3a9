import type { BadRequest } from './bad-request.js';
import { badBodies, type BodyClass } from './body-mutations.js';
import { jsonText } from './json-text.js';
import { randomBodies } from './random-bodies.js';
import { requestTo, type Subject } from './subject.js';
import type { Target } from './targets.js';
import { wholeBodies } from './whole-bodies.js';

export function bodies(subject: Subject, kind: BodyClass): readonly BadRequest[] {
  const { operation, target } = subject;
  if (!operation.body) return [];
  const source = { schema: operation.body.schema, body: target.body ?? {}, ...freeTextOf(target) };
  return badBodies(source)
    .filter((each) => each.class === kind)
    .map(({ label, text, refused }) => ({
      label,
      refused: refused && !target.judgesBody,
      request: requestTo(subject, { body: text }),
    }));
}

function freeTextOf({ freeText }: Target): { readonly freeText?: readonly string[] } {
  return freeText ? { freeText } : {};
}

export function brokenBodies(subject: Subject): readonly BadRequest[] {
  const { operation, target, largestBody } = subject;
  if (operation.method === 'GET') return [];
  const { schema = {}, required = false } = operation.body ?? {};
  return wholeBodies(schema, target.body ?? {}, { required, largest: largestBody }).map(
    ({ label, bytes, refused }) => ({
      label,
      refused: refused && !target.judgesBody,
      request: requestTo(subject, { body: bytes }),
    }),
  );
}

export function anyBodies(subject: Subject): readonly BadRequest[] {
  const { operation, target } = subject;
  const { body } = operation;
  if (!body) return [];
  return randomBodies(body.schema).map(({ label, text, refused }) => ({
    label,
    refused: refused && !target.judgesBody,
    request: requestTo(subject, { body: text }),
  }));
}

const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/xml',
  'application/jsonx',
  'application/',
  'json',
  '*/*',
];

export function contentTypes(subject: Subject): readonly BadRequest[] {
  if (subject.operation.method === 'GET') return [];
  // Whoever judges a body judges its bytes, whatever they are called.
  const unsupported = subject.target.judgesBody ? { refused: false } : { refused: true, statuses: [415] };
  const body = jsonText(subject.target.body ?? {});
  const typed = (type: string): BadRequest => ({
    ...unsupported,
    label: `Content-Type ${type}`,
    request: requestTo(subject, { body, headers: { 'content-type': type } }),
  });
  const encoded = (encoding: string): BadRequest => ({
    ...unsupported,
    label: `Content-Encoding ${encoding}`,
    request: requestTo(subject, { body, headers: { 'content-encoding': encoding } }),
  });
  const { 'content-type': _type, ...untyped } = requestTo(subject, { body }).headers;
  return [
    ...OTHER_TYPES.map(typed),
    ...['gzip', 'br', 'nonsense'].map(encoded),
    {
      ...unsupported,
      label: 'no Content-Type',
      request: { ...requestTo(subject, { body }), headers: untyped },
    },
  ];
}
