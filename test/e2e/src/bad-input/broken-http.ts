export type BrokenHttp = {
  readonly label: string;
  readonly bytes: string;
  readonly statuses: readonly number[];
  /** HTTP has a status of its own for it, and our codes have none for that. */
  readonly lacksCode?: boolean;
};

/** What is wrong with the message itself, around a request that would be taken. */
export function brokenHttp(key: string): readonly BrokenHttp[] {
  const authorization = `authorization: Bearer ${key}`;
  const host = 'host: localhost';
  const json = 'content-type: application/json';
  const message = (first: string, lines: readonly string[], body = ''): string =>
    [first, ...lines, '', body].join('\r\n');
  const list = (lines: readonly string[], version = 'HTTP/1.1'): string =>
    message(`GET /v1/runs ${version}`, lines);
  const create = (lines: readonly string[], body: string): string =>
    message('POST /v1/runs HTTP/1.1', [host, authorization, json, ...lines], body);
  const refused = (label: string, bytes: string, ...statuses: readonly number[]): BrokenHttp => ({
    label,
    bytes,
    statuses: statuses.length > 0 ? statuses : [400],
  });
  return [
    refused('no Host', list([authorization])),
    refused('two Hosts', list([host, 'host: elsewhere', authorization])),
    refused('no Host and no key', list([]), 401),
    refused('an unknown expectation', list([host, authorization, 'expect: miracles'])),
    refused('an unknown expectation and no key', list([host, 'expect: miracles']), 401),
    refused('an unknown expectation of a body', create(['expect: miracles', 'content-length: 2'], '{}')),
    refused('no HTTP', 'HELLO\r\n\r\n'),
    refused('an unknown method', message('FETCH /v1/runs HTTP/1.1', [host, authorization])),
    refused('an unknown version', list([host, authorization], 'HTTP/9.9')),
    refused('a space in the path', message('GET /v1/ru ns HTTP/1.1', [host, authorization])),
    refused('NUL in a header', list([host, `${authorization}\0`])),
    refused('a header without a name', list([host, authorization, ': x'])),
    refused('a space before the colon', list([host, authorization, 'x-a : x'])),
    refused('a line that was folded', list([host, authorization, 'x-a: x', ' folded'])),
    {
      ...refused('a header of 64 KiB', list([host, authorization, `x-a: ${'x'.repeat(65_536)}`]), 431),
      lacksCode: true,
    },
    refused('a length that is no number', create(['content-length: two'], '{}')),
    refused('a negative length', create(['content-length: -2'], '{}')),
    refused('two lengths', create(['content-length: 2', 'content-length: 3'], '{}')),
    refused('a length, and chunks', create(['content-length: 2', 'transfer-encoding: chunked'], '{}')),
    refused('chunks of no size', create(['transfer-encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')),
    refused('a coding that nobody knows', create(['transfer-encoding: rot13', 'content-length: 2'], '{}')),
    refused(
      'an absolute path of another scheme',
      message('GET ftp://localhost/v1/runs HTTP/1.1', [host, authorization]),
      400,
      404,
    ),
    refused('no path', message('GET * HTTP/1.1', [host, authorization]), 400, 404),
  ];
}
