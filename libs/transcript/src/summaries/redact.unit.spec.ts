import fc from 'fast-check';
import { holdsSecret, maskSecrets, REDACTED, redactSecrets } from './redact.js';

const B64 = 'QmFzZTY0Qm9keU9mQVByaXZhdGVLZXk0Mg';
const pem = (label: string): string => `-----BEGIN ${label}-----\n${B64}\nTAIL99==\n-----END ${label}-----`;

/** One secret per mark, and the part of it that must be gone. None of them is real. */
const SECRETS: readonly (readonly [mark: string, text: string, secret: string])[] = [
  ['1', 'Bearer abc.DEF-123~x', 'abc.DEF-123~x'],
  ['2', 'Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['3', 'authorization : ApiKey k3y.k3y-k3y', 'k3y.k3y-k3y'],
  ['4', `npm_${'a1'.repeat(12)}`, 'a1a1a1'],
  ['5', 'postgres://app:s3cretpw@db.example.org/main', 's3cretpw'],
  ['6', 'jdbc:oracle:thin:@h:1?user=a;password=pw1;x=2', 'pw1'],
  ['7', 'sk-live_abcdEFGH12', 'abcdEFGH12'],
  ['8', 'ghp_abcdefGHIJKL12', 'abcdefGHIJKL12'],
  ['9', 'glpat-abcdefGHIJ_12', 'abcdefGHIJ_12'],
  ['10', 'xoxb-1234567890-ab', '1234567890-ab'],
  ['11', 'AKIAABCDEFGHIJKLMNOP', 'ABCDEFGHIJKLMNOP'],
  ['12', pem('RSA PRIVATE KEY'), B64],
  ['13', 'eyJhbGciOi1.eyJzdWIiOi1.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
  ['14', 'password = hunter22', 'hunter22'],
  ['14', 'api-key: k-998-zz', 'k-998-zz'],
  ['14', 'secret:abcd', 'abcd'],
  ['S1', pem('PRIVATE KEY'), 'TAIL99'],
  ['S1', pem('PGP PRIVATE KEY BLOCK'), B64],
  ['S2', `github_pat_${'A_1b'.repeat(6)}`, 'A_1bA_1b'],
  ['S3', `AIza${'Sy-A_'.repeat(8)}`, 'Sy-A_Sy-A_'],
  ['S4', 'ASIAABCDEFGHIJKLMNOP', 'ABCDEFGHIJKLMNOP'],
  ['S5', 'rk_test_abcdEFGH12', 'abcdEFGH12'],
  ['S6', 'DB_PASSWORD=hunter22', 'hunter22'],
  ['S6', '{"client_secret": "v3ry-s3cret"}', 'v3ry-s3cret'],
  ['S6', 'x.auth-token: tok12345', 'tok12345'],
  ['S6', 'secret_access_key=wJalrXUtnFEMI', 'wJalrXUtnFEMI'],
  ['S6', "private_key': 'abc12345'", 'abc12345'],
];

describe('redactSecrets', () => {
  it.each(SECRETS)('mark %s: nothing of the secret stays in %j', (_, text, secret) => {
    const redacted = redactSecrets(`before ${text} after`);
    expect(redacted).not.toContain(secret);
    expect(redacted).toContain(REDACTED);
    expect(redacted).toContain('before');
    expect(redacted).toContain('after');
    expect(redactSecrets(redacted)).toBe(redacted);
  });

  it.each(SECRETS)('mark %s: masking keeps every other place in %j', (_, text, secret) => {
    const source = `before ${text} after`;
    const masked = maskSecrets(source);
    expect(masked).toHaveLength(source.length);
    expect(masked).not.toContain(secret);
    expect(masked.startsWith('before ')).toBe(true);
    expect(masked.endsWith(' after')).toBe(true);
  });

  it('leaves the rest of an unbroken line readable', () => {
    const masked = maskSecrets('{"password":"hunter22","user":"jo_lind_4471"}');
    expect(masked).toContain('"user":"jo_lind_4471"');
    expect(masked).not.toContain('hunter22');
  });

  it('masks the whole of a quoted value, escapes included', () => {
    expect(maskSecrets('{"password": "hun\\"ter 22", "a": 1}')).not.toMatch(/hun|ter|22/);
    expect(maskSecrets('{\\"password\\": \\"hun ter22\\", \\"a\\": 1}')).not.toMatch(/hun|ter22/);
  });

  it.each([
    'session: 8812-aa-99210',
    'run-20310301',
    'Agent: summarizer',
    'the full transcript of it',
    'AKIA-1',
    'task-management-board',
    'user_id: mo_9921',
  ])('leaves ordinary text alone: %j', (text) => {
    expect(redactSecrets(text)).toBe(text);
    expect(holdsSecret(text)).toBe(false);
  });

  it('sees a secret in base64', () => {
    expect(holdsSecret(`data: ${btoa('password=hunter22')}`)).toBe(true);
    expect(holdsSecret(`data: ${btoa('ordinary words here')}`)).toBe(false);
  });

  it('is a fixed point on any mixture', () => {
    const piece = fc.oneof(fc.constantFrom(...SECRETS.map(([, text]) => text)), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const once = redactSecrets(pieces.join(' '));
        expect(redactSecrets(once)).toBe(once);
      }),
    );
  });
});
