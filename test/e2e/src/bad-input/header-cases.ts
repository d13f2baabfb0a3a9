import type { BadRequest } from './bad-request.js';
import { accepts } from './json-schema.js';
import { requestTo, type Subject } from './subject.js';

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

export function headers(subject: Subject): readonly BadRequest[] {
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
