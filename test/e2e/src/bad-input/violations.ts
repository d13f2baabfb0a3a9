import { ERROR_STATUS, errorEnvelopeSchema } from '@palimpsest/contracts';
import type { BadRequest } from './bad-request.js';
import type { HttpAnswer } from './http-sender.js';
import type { Operation } from './openapi.js';

/** An error says what is wrong; it is no copy of what was sent. */
const LARGEST_ENVELOPE = 4096;

/** What is wrong with an answer: one line per mistake, which tells method, path, class, status and code. */
export function violationsOf(
  operation: Operation,
  { label, request, ...expected }: BadRequest,
  answer: HttpAnswer | undefined,
): readonly string[] {
  const code = answer && codeOf(answer);
  const line = `${request.method} ${operation.path} [${label}]: ${answer?.status ?? 'no answer'} ${code ?? ''}`;
  return problemsOf(operation, { request, ...expected }, answer).map((problem) => `${line} - ${problem}`);
}

type Expected = Omit<BadRequest, 'label'>;

function problemsOf(operation: Operation, expected: Expected, answer: HttpAnswer | undefined): string[] {
  if (!answer) return ['the connection ended without an answer'];
  const { status, headers } = answer;
  const missing = Object.entries(expected.answerHeaders ?? {}).filter(
    ([name, value]) => headers[name] !== value,
  );
  return [
    ...(headers['x-request-id'] ? [] : ['it has no x-request-id']),
    ...missing.map(([name, value]) => `${name} is not ${value}`),
    ...(status < 400 ? problemsOfSuccess(expected, status) : problemsOfRefusal(operation, expected, answer)),
  ];
}

function problemsOfSuccess({ refused }: Expected, status: number): string[] {
  if (refused) return ['it was taken'];
  return status >= 200 && status < 300 ? [] : ['it is neither taken nor refused'];
}

function problemsOfRefusal(operation: Operation, expected: Expected, answer: HttpAnswer): string[] {
  const { status, text } = answer;
  const { request, statuses } = expected;
  const fits = statuses === undefined || statuses.includes(status);
  return [
    ...(status >= 500 ? ['the server failed'] : []),
    ...(fits ? [] : [`expected ${statuses?.join(' or ')}`]),
    ...(request.method === 'HEAD' ? [] : problemsOfEnvelope(operation, expected, answer)),
    ...(Buffer.byteLength(text) > LARGEST_ENVELOPE ? ['the error is as long as a document'] : []),
  ];
}

function problemsOfEnvelope(operation: Operation, expected: Expected, answer: HttpAnswer): string[] {
  const code = codeOf(answer);
  if (code === undefined) return ['it is no error envelope'];
  const { status } = answer;
  const listed = expected.codes ?? operation.errors.get(status) ?? [];
  const known: Readonly<Record<string, number>> = ERROR_STATUS;
  return [
    ...(known[code] === status || expected.lacksCode ? [] : ['the code has another status']),
    ...(listed.includes(code) ? [] : [`the code is not documented here (${listed.join(', ') || 'none'})`]),
  ];
}

/** The code of a closed envelope in JSON. */
function codeOf({ headers, text }: HttpAnswer): string | undefined {
  if (!/^application\/json\b/.test(String(headers['content-type']))) return undefined;
  try {
    return errorEnvelopeSchema.parse(JSON.parse(text)).error;
  } catch {
    return undefined;
  }
}
