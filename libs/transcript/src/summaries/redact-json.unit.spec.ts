import { redactJson, redactText } from './redact-json.js';

describe('what is recorded of a request', () => {
  it('holds no secret, at any depth', () => {
    const key = `AKIA${'Q'.repeat(16)}`;
    expect(redactJson({ a: [{ b: `the key ${key}.` }], c: 7, d: null, e: true, f: 'plain' })).toEqual({
      a: [{ b: 'the key [redacted].' }],
      c: 7,
      d: null,
      e: true,
      f: 'plain',
    });
  });

  it('holds no value that its key gives away', () => {
    const sent = { password: 'correct horse', apiKey: 'abcdef', nested: { access_token: 'abcd' }, secret: 7 };
    expect(redactJson(sent)).toEqual({
      password: '[redacted]',
      apiKey: '[redacted]',
      nested: { access_token: '[redacted]' },
      secret: 7,
    });
  });

  it('holds no secret for a key', () => {
    expect(redactJson({ [`AKIA${'Q'.repeat(16)}`]: 1 })).toEqual({ '[redacted]': 1 });
  });

  it('stays as short as it may be', () => {
    const text = redactText('Bearer a '.repeat(28), 256);
    expect(text).toMatch(/^(?:\[redacted\] )+/);
    expect(text.length).toBeLessThanOrEqual(256);
    expect(redactText('🙂🙂', 3)).toBe('🙂\uFFFD');
  });

  it('is otherwise what was sent', () => {
    const sent = {
      nonce: 'abc',
      tokenCount: '12345',
      key: 'value',
      text: 'no secret here',
      'a=b': 'c'.repeat(9),
    };
    expect(redactJson(sent)).toEqual(sent);
    const proto = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(redactJson(proto))).toBe('{"__proto__":{"a":1}}');
    expect({}).not.toHaveProperty('a');
  });
});
