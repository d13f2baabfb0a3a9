import type { BadRequest, HttpRequest } from './bad-request.js';
import type { Operation } from './openapi.js';
import { requestTo, type Subject } from './subject.js';

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

export function ids(subject: Subject): readonly BadRequest[] {
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
