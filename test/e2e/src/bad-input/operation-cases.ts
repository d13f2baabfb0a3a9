import type { BadRequest } from './bad-request.js';
import { anyBodies, bodies, brokenBodies, contentTypes } from './body-cases.js';
import { BODY_CLASSES, type BodyClass } from './body-mutations.js';
import { credentials } from './credential-cases.js';
import { headers } from './header-cases.js';
import { ids } from './id-cases.js';
import { methodsAt, type Operation } from './openapi.js';
import { badQueries } from './query-mutations.js';
import { requestTo, type Subject } from './subject.js';

export const CASE_CLASSES = [
  ...BODY_CLASSES,
  'broken bodies',
  'random bodies',
  'under an idempotency key',
  'content types',
  'queries',
  'headers',
  'ids',
  'methods',
  'credentials',
] as const;

export type CaseClass = (typeof CASE_CLASSES)[number];

/** The classes that mean something for an operation. */
export function classesOf(operation: Operation, operations: readonly Operation[]): readonly CaseClass[] {
  const { body, method, pathParameters, secured } = operation;
  const meant: Partial<Record<CaseClass, boolean>> = {
    'broken bodies': method !== 'GET',
    'under an idempotency key': takesIdempotencyKey(operation),
    'content types': method !== 'GET',
    queries: true,
    headers: true,
    ids: pathParameters.length > 0,
    methods: isFirstOfItsPath(operation, operations),
    credentials: secured,
  };
  return CASE_CLASSES.filter((kind) => meant[kind] ?? body !== undefined);
}

function takesIdempotencyKey({ headerParameters }: Operation): boolean {
  return headerParameters.some(({ name }) => name === 'Idempotency-Key');
}

function isFirstOfItsPath(operation: Operation, operations: readonly Operation[]): boolean {
  return operations.find(({ path }) => path === operation.path)?.id === operation.id;
}

/** Every bad request of a class to an operation; none where the class has no meaning for it. */
export function casesOf(subject: Subject, kind: CaseClass): readonly BadRequest[] {
  switch (kind) {
    case 'broken bodies':
      return brokenBodies(subject);
    case 'under an idempotency key':
      return keyed(subject);
    case 'random bodies':
      return anyBodies(subject);
    case 'content types':
      return contentTypes(subject);
    case 'queries':
      return queries(subject);
    case 'headers':
      return headers(subject);
    case 'ids':
      return ids(subject);
    case 'methods':
      return wrongMethods(subject);
    case 'credentials':
      return credentials(subject);
    default:
      return bodies(subject, kind satisfies BodyClass);
  }
}

/** 400, 401 and 403 are not kept for their key (host specification §8.1): no row tells of them. */
function keyed(subject: Subject): readonly BadRequest[] {
  if (!takesIdempotencyKey(subject.operation)) return [];
  const wrong = (['wrong types', 'missing fields', 'broken bodies', 'credentials'] as const).flatMap((kind) =>
    casesOf(subject, kind).filter(({ refused }) => refused),
  );
  const asked = wrong.filter((_, index) => index % KEYED_SHARE === 0);
  return asked.map((each, index) => ({
    ...each,
    label: `${each.label}, with a key`,
    request: {
      ...each.request,
      headers: { ...each.request.headers, 'idempotency-key': `bad-input-${index % SHARED_KEYS}` },
    },
  }));
}

/** All of them are asked without a key as well, and keys are every operation's alike: one of so many is enough here. */
const KEYED_SHARE = 4;

/** So few that most are used again, with another body. */
const SHARED_KEYS = 4;

function queries(subject: Subject): readonly BadRequest[] {
  const { operation, target } = subject;
  const cases = badQueries(operation.queryParameters, target.query);
  const accepts = operation.streams ? ['application/json', 'text/event-stream'] : [undefined];
  return accepts.flatMap((accept) =>
    cases.map(({ label, query, refused }) => ({
      label: accept ? `${label}, ${accept}` : label,
      refused,
      request: requestTo(subject, { query, ...(accept && { headers: { accept } }) }),
    })),
  );
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT'];

/** Once per path: by the first of its operations. */
function wrongMethods(subject: Subject): readonly BadRequest[] {
  const { operation, operations } = subject;
  if (!isFirstOfItsPath(operation, operations)) return [];
  const allowed = methodsAt(operations, operation.path);
  return METHODS.filter((method) => !allowed.includes(method)).map((method) => ({
    label: `method ${method}`,
    refused: true,
    statuses: [405],
    codes: ['method_not_allowed'],
    answerHeaders: { allow: allowed.join(', ') },
    request: requestTo(subject, { method, body: null }),
  }));
}
