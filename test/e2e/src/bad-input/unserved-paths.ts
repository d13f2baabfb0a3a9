import type { BadRequest } from './bad-request.js';

/** Nothing is served there: under `/v1` for a key that is good, elsewhere for everybody. */
export function unservedPaths(key: string): readonly BadRequest[] {
  const authorization = `Bearer ${key}`;
  return ['GET', 'POST', 'DELETE'].flatMap((method) => [
    ...[
      '/v1',
      '/v1/',
      '/v1/runs/',
      '/v1//runs',
      '/v1/nothing',
      '/v1/__proto__',
      '/v1/host/sample/nothing',
      '/v1/..%2f..%2fetc/passwd',
    ].flatMap((path) => [
      asked(method, path, { headers: { authorization }, statuses: [404], codes: ['not_found'] }),
      asked(method, path, { headers: {}, statuses: [401], codes: ['unauthenticated'] }),
    ]),
    ...['/nothing', '/V1/runs', '/v2/runs', '/.well-known/nothing', '/__proto__', '/%2e%2e/%2e%2e'].map(
      (path) => asked(method, path, { headers: {}, statuses: [404], codes: ['not_found'] }),
    ),
    ...['/runs', '/runs/run_1', '/workflows/a', '/interrupts/a', '/webhooks', '/artifacts/a'].map((path) =>
      asked(method, path, { headers: {}, statuses: [400], codes: ['validation_error'] }),
    ),
    ...['/%zz', '/v1/runs/%ff', '/%'].map((path) =>
      asked(method, path, { headers: { authorization }, statuses: [400], codes: ['validation_error'] }),
    ),
  ]);
}

type Expected = Pick<BadRequest, 'statuses' | 'codes'> & {
  readonly headers: Readonly<Record<string, string>>;
};

function asked(method: string, path: string, { headers, ...expected }: Expected): BadRequest {
  return { label: path, refused: true, request: { method, path, headers }, ...expected };
}
