import type { BadRequest } from './bad-request.js';
import type { HttpAnswer } from './http-sender.js';
import type { Operation } from './openapi.js';
import { violationsOf } from './violations.js';

const operation = {
  path: '/v1/runs',
  errors: new Map([[400, ['validation_error']]]),
} as unknown as Operation;

const bad = (changes: Partial<BadRequest> = {}): BadRequest => ({
  label: 'a mistake',
  request: { method: 'POST', path: '/v1/runs', headers: {} },
  refused: true,
  ...changes,
});

const answer = (changes: Partial<HttpAnswer> = {}): HttpAnswer => ({
  status: 400,
  headers: { 'x-request-id': 'req_1', 'content-type': 'application/json; charset=utf-8' },
  text: '{"error":"validation_error","message":"a: is wrong"}',
  ...changes,
});

const problems = (request: BadRequest, given: HttpAnswer | undefined) =>
  violationsOf(operation, request, given).map((line) => line.split(' - ')[1]);

describe('violations', () => {
  it('are none of a documented refusal', () => {
    expect(problems(bad(), answer())).toEqual([]);
    expect(problems(bad({ refused: false }), answer({ status: 201, text: '{}' }))).toEqual([]);
    expect(problems(bad({ statuses: [400], codes: ['validation_error'] }), answer())).toEqual([]);
  });

  it('tell method, path, mistake, status and code', () => {
    expect(violationsOf(operation, bad({ statuses: [404] }), answer())).toEqual([
      'POST /v1/runs [a mistake]: 400 validation_error - expected 404',
    ]);
  });

  it.each<[string, BadRequest, HttpAnswer | undefined, readonly string[]]>([
    ['silence', bad(), undefined, ['the connection ended without an answer']],
    ['success', bad(), answer({ status: 201 }), ['it was taken']],
    ['a redirect', bad({ refused: false }), answer({ status: 302 }), ['it is neither taken nor refused']],
    ['no envelope', bad(), answer({ text: 'Bad Request' }), ['it is no error envelope']],
    [
      'an open envelope',
      bad(),
      answer({ text: '{"error":"validation_error","message":"a","runId":"b"}' }),
      ['it is no error envelope'],
    ],
    [
      'an unknown code',
      bad(),
      answer({ text: '{"error":"oops","message":"a"}' }),
      ['the code has another status', 'the code is not documented here (validation_error)'],
    ],
    [
      'a code of another operation',
      bad(),
      answer({ status: 404, text: '{"error":"not_found","message":"a"}' }),
      ['the code is not documented here (none)'],
    ],
    ['a missing header', bad({ answerHeaders: { allow: 'GET' } }), answer(), ['allow is not GET']],
    [
      'an echo',
      bad(),
      answer({ text: `{"error":"validation_error","message":"${'x'.repeat(5000)}"}` }),
      ['the error is as long as a document'],
    ],
  ])('notice %s', (_name, request, given, expected) => expect(problems(request, given)).toEqual(expected));

  it('notice a failure, and an answer that cannot be traced', () => {
    const failed = answer({
      status: 500,
      headers: { 'content-type': 'application/json' },
      text: '{"error":"internal_error","message":"a"}',
    });
    expect(problems(bad(), failed)).toEqual([
      'it has no x-request-id',
      'the server failed',
      'the code is not documented here (none)',
    ]);
  });

  it('ask nothing of the body of HEAD', () => {
    const head = bad({ request: { method: 'HEAD', path: '/v1/runs', headers: {} } });
    expect(problems(head, answer({ text: '' }))).toEqual([]);
  });
});
