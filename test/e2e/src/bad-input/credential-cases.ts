import type { BadRequest, HttpRequest } from './bad-request.js';
import { requestTo, type Subject } from './subject.js';

export function credentials(subject: Subject): readonly BadRequest[] {
  if (!subject.operation.secured) return [];
  const { bad, without } = subject.credentials;
  const faulty = faultyRequests(subject);
  // Each credential with one fault, so that every fault is met: which of them comes with which tells nothing.
  const unauthenticated = bad.flatMap(({ label, authorization, code }, place) =>
    faulty
      .filter((_, index) => index === place % faulty.length)
      .map(([fault, request]) => ({
        label: `${label}, ${fault}`,
        refused: true,
        statuses: [401],
        codes: [code],
        answerHeaders: { 'www-authenticate': 'Bearer' },
        request: { ...request, headers: withAuthorization(request.headers, authorization) },
      })),
  );
  const unauthorized = subject.operation.scopes.flatMap((scope) =>
    faulty
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
