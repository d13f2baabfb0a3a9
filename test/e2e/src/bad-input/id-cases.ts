import type { BadRequest, HttpRequest } from './bad-request.js';
import type { Operation } from './openapi.js';
import { requestTo, type Subject } from './subject.js';
import type { Target } from './targets.js';

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

/** As the ids are that callers choose. */
const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

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
    ...verdictOn(target, name, value),
    request: requestTo(subject, { params: { [name]: value } }),
  });
  return operation.pathParameters.flatMap((name) => [
    ...GARBAGE_IDS.map((value, index) =>
      refusedWith([400, 404], at(name, `garbage ${index + 1} (${value.slice(0, 30)})`, value)),
    ),
    refusedWith([404, 400], at(name, 'unknown', UNKNOWN_IDS[name] ?? `no-such-${name}`)),
    ...(operation.method === 'GET'
      ? [
          refusedWith([404, 400], {
            ...at(name, 'unknown, HEAD', 'no-such-thing'),
            request: headOf(subject, name),
          }),
        ]
      : []),
    emptyId(operation, at(name, 'empty', '')),
    ...(target.wrongIds?.[name] ?? []).map(({ label, id, statuses }) => ({
      ...at(name, label, id),
      statuses,
    })),
  ]);
}

/** What is not there names something all the same where anybody may name it; what no segment can be is no path of the operation's. */
function verdictOn({ freeNames = [] }: Target, name: string, value: string): Verdict {
  if (!freeNames.includes(name)) return { refused: true };
  return WELL_FORMED.test(value)
    ? { refused: false }
    : { refused: true, codes: ['validation_error', 'not_found'] };
}

type Verdict = Pick<BadRequest, 'refused' | 'codes'>;

function refusedWith(statuses: readonly number[], asked: BadRequest): BadRequest {
  return asked.refused ? { ...asked, statuses } : asked;
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
