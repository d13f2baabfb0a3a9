import type { BadRequest, HttpRequest } from './bad-request.js';
import { BODY_CLASSES, badBodies, type BodyClass } from './body-mutations.js';
import type { Credentials } from './credentials.js';
import { accepts } from './json-schema.js';
import { jsonText } from './json-text.js';
import { methodsAt, type Operation } from './openapi.js';
import { badQueries } from './query-mutations.js';
import { randomBodies } from './random-bodies.js';
import type { Target } from './targets.js';
import { wholeBodies } from './whole-bodies.js';

/** An operation, a request to it that would be taken, and who asks. */
export type Subject = {
  readonly operation: Operation;
  readonly operations: readonly Operation[];
  readonly target: Target;
  readonly key: string;
  readonly credentials: Credentials;
  /** Bytes of the largest body that the host takes. */
  readonly largestBody: number;
};

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

type Changes = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly method?: string;
  readonly headers?: HttpRequest['headers'];
  /** `null`: none. */
  readonly body?: string | Buffer | null;
};

/** The request that would be taken, with changes. `params` are percent-encoded already. */
export function requestTo({ operation, target, key }: Subject, changes: Changes = {}): HttpRequest {
  const params = { ...target.params, ...changes.params };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? '');
  const query = changes.query ?? new URLSearchParams(target.query).toString();
  const taken = operation.body && target.body !== undefined ? jsonText(target.body) : undefined;
  const body = (changes.body === undefined ? taken : changes.body) ?? undefined;
  return {
    method: changes.method ?? operation.method,
    path: `${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...(operation.secured && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...changes.headers,
    },
    ...(body !== undefined && { body }),
  };
}

function bodies(subject: Subject, kind: BodyClass): readonly BadRequest[] {
  const { operation, target } = subject;
  if (!operation.body) return [];
  const source = { schema: operation.body.schema, body: target.body ?? {}, ...freeTextOf(target) };
  return badBodies(source)
    .filter((each) => each.class === kind)
    .map(({ label, text, refused }) => ({ label, refused, request: requestTo(subject, { body: text }) }));
}

function freeTextOf({ freeText }: Target): { readonly freeText?: readonly string[] } {
  return freeText ? { freeText } : {};
}

function brokenBodies(subject: Subject): readonly BadRequest[] {
  const { operation, target, largestBody } = subject;
  if (operation.method === 'GET') return [];
  const { schema = {}, required = false } = operation.body ?? {};
  return wholeBodies(schema, target.body ?? {}, { required, largest: largestBody }).map(
    ({ label, bytes, refused }) => ({ label, refused, request: requestTo(subject, { body: bytes }) }),
  );
}

function anyBodies(subject: Subject): readonly BadRequest[] {
  const { body } = subject.operation;
  if (!body) return [];
  return randomBodies(body.schema).map(({ label, text, refused }) => ({
    label,
    refused,
    request: requestTo(subject, { body: text }),
  }));
}

/** 400, 401 and 403 are not kept for their key (host specification §8.1): no row tells of them. */
function keyed(subject: Subject): readonly BadRequest[] {
  if (!takesIdempotencyKey(subject.operation)) return [];
  const wrong = (['wrong types', 'missing fields', 'broken bodies', 'credentials'] as const).flatMap((kind) =>
    casesOf(subject, kind).filter(({ refused }) => refused),
  );
  return wrong.map((each, index) => ({
    ...each,
    label: `${each.label}, with a key`,
    request: {
      ...each.request,
      headers: { ...each.request.headers, 'idempotency-key': `bad-input-${index % SHARED_KEYS}` },
    },
  }));
}

/** So few that most are used again, with another body. */
const SHARED_KEYS = 10;

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

function contentTypes(subject: Subject): readonly BadRequest[] {
  if (subject.operation.method === 'GET') return [];
  const unsupported = { refused: true, statuses: [415] };
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

const BAD_HEADER_VALUES = [
  '',
  'a b',
  'é',
  'a:b',
  'a, b',
  '-1',
  '1.5',
  '1e400',
  'x'.repeat(256),
  '9'.repeat(40),
];

/** What the document does not say of a header's letters. */
const REFUSED_BESIDE: Readonly<Record<string, (value: string) => boolean>> = {
  'idempotency-key': (value) => !/^[A-Za-z0-9._~-]{1,255}$/.test(value),
};

/** Headers that any client may send to anything, as none should. */
const STRANGE_HEADERS: readonly (readonly [string, string | string[]])[] = [
  ['accept', 'nonsense'],
  ['accept', 'text/html;q=2, application/xml'],
  ['accept', 'application/json;q=0'],
  ['accept', ';;,,'],
  ['accept-encoding', 'nonsense'],
  ['accept-encoding', 'identity;q=0, *;q=0'],
  ['accept-encoding', 'gzip;q=nan,,;'],
  ['accept-encoding', ['gzip', 'br;q=9']],
  ['range', 'bytes=0-1'],
  ['if-match', '"nothing"'],
  ['if-none-match', ['"a"', 'W/"b', '*']],
  ['traceparent', '00-zz-zz-zz'],
  ['tracestate', '=,=,='],
  ['x-request-id', 'of the caller'],
  ['x-forwarded-for', 'nobody, 999.999.999.999'],
  ['x-http-method-override', 'DELETE'],
  ['cookie', '__proto__=1; a'],
  ['origin', 'null'],
  ['upgrade-insecure-requests', '1'],
];

function headers(subject: Subject): readonly BadRequest[] {
  const strange = STRANGE_HEADERS.map(([name, value]) => ({
    label: `${name}: ${String(value)}`,
    refused: false,
    request: requestTo(subject, { headers: { [name]: value } }),
  }));
  return [...documentedHeaders(subject), ...strange];
}

/** A good idempotency key is no mistake. */
function documentedHeaders(subject: Subject): readonly BadRequest[] {
  return subject.operation.headerParameters.flatMap(({ name, schema }) => {
    const lowerCase = name.toLowerCase();
    const isBad = (value: string): boolean =>
      !accepts(schema, value) || REFUSED_BESIDE[lowerCase]?.(value) === true;
    const values = BAD_HEADER_VALUES.filter((value) => lowerCase !== 'idempotency-key' || isBad(value));
    return values.map((value) => ({
      label: `${name}: ${value.slice(0, 20)}`,
      refused: isBad(value),
      request: requestTo(subject, { headers: { [lowerCase]: value } }),
    }));
  });
}

const GARBAGE_IDS = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%zz',
  '%',
  'a%2Fb',
  '..%2F..%2Fetc%2Fpasswd',
  '%2e%2e',
  'no%20body',
  '%F0%9F%92%A5',
  '__proto__',
  'constructor',
  '-1',
  '0',
  '1.5',
  '1e400',
  '9007199254740993',
  'NaN',
  'null',
  'undefined',
  '%7BrunId%7D',
  "'%20OR%20'1'='1",
  '*',
  '%2A',
  'x'.repeat(500),
  'x'.repeat(2000),
];

const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  runId: `run_${'x'.repeat(22)}`,
  artifactId: `art_${'x'.repeat(22)}`,
  iteration: '999999',
  token: `${'x'.repeat(40)}.${'x'.repeat(43)}`,
};

function ids(subject: Subject): readonly BadRequest[] {
  const { operation, target } = subject;
  const at = (name: string, label: string, value: string): BadRequest => ({
    label: `${name}: ${label}`,
    refused: true,
    request: requestTo(subject, { params: { [name]: value } }),
  });
  return operation.pathParameters.flatMap((name) => [
    ...GARBAGE_IDS.map((value, index) => ({
      ...at(name, `garbage ${index + 1} (${value.slice(0, 30)})`, value),
      statuses: [400, 404],
    })),
    { ...at(name, 'unknown', UNKNOWN_IDS[name] ?? `no-such-${name}`), statuses: [404, 400] },
    ...(operation.method === 'GET'
      ? [
          {
            ...at(name, 'unknown, HEAD', 'no-such-thing'),
            request: headOf(subject, name),
            statuses: [404, 400],
          },
        ]
      : []),
    emptyId(operation, at(name, 'empty', '')),
    ...(target.wrongIds?.[name] ?? []).map(({ label, id, statuses }) => ({
      ...at(name, label, id),
      statuses,
    })),
  ]);
}

function headOf(subject: Subject, name: string): HttpRequest {
  return requestTo(subject, { method: 'HEAD', params: { [name]: 'no-such-thing' } });
}

/** An empty segment makes it another path, which asks for a key like every path that is not there. */
function emptyId({ secured }: Operation, asked: BadRequest): BadRequest {
  return secured
    ? { ...asked, statuses: [404, 405], codes: ['not_found', 'method_not_allowed'] }
    : { ...asked, statuses: [401], codes: ['unauthenticated'] };
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

function credentials(subject: Subject): readonly BadRequest[] {
  if (!subject.operation.secured) return [];
  const { bad, without } = subject.credentials;
  const unauthenticated = bad.flatMap(({ label, authorization, code }) =>
    faultyRequests(subject).map(([fault, request]) => ({
      label: `${label}, ${fault}`,
      refused: true,
      statuses: [401],
      codes: [code],
      answerHeaders: { 'www-authenticate': 'Bearer' },
      request: { ...request, headers: withAuthorization(request.headers, authorization) },
    })),
  );
  const unauthorized = subject.operation.scopes.flatMap((scope) =>
    faultyRequests(subject)
      .filter(([fault], index) => (subject.operation.scopesLast ? index === 0 : fault !== 'another method'))
      .map(([fault, request]) => ({
        label: `a key without ${scope}, ${fault}`,
        refused: true,
        statuses: [403],
        codes: ['forbidden'],
        request: { ...request, headers: withAuthorization(request.headers, `Bearer ${without[scope]}`) },
      })),
  );
  return [...unauthenticated, ...unauthorized];
}

function withAuthorization(
  headers: HttpRequest['headers'],
  authorization: string | string[] | undefined,
): HttpRequest['headers'] {
  const { authorization: _good, ...others } = headers;
  return authorization === undefined ? others : { ...others, authorization };
}

/** Nothing else that is wrong with a request is told to whom it is not open. */
function faultyRequests(subject: Subject): readonly (readonly [string, HttpRequest])[] {
  const { operation } = subject;
  const unknown = Object.fromEntries(operation.pathParameters.map((name) => [name, `no-such-${name}`]));
  return [
    ['nothing else wrong', requestTo(subject)],
    ...(operation.pathParameters.length > 0
      ? ([['unknown ids', requestTo(subject, { params: unknown })]] as const)
      : []),
    ...(operation.method === 'GET'
      ? []
      : ([
          ['a broken body', requestTo(subject, { body: '{' })],
          [
            'another content type',
            requestTo(subject, { body: 'a', headers: { 'content-type': 'text/plain' } }),
          ],
        ] as const)),
    ['another method', requestTo(subject, { method: 'DELETE', body: null })],
    ['a broken query', requestTo(subject, { query: 'a=%zz' })],
  ];
}
