import { generateKeyPairSync } from 'node:crypto';
import { judged, NOON } from '../testing/judged.js';
import { envelope, options, pairs, PUBLIC_KEY, signatureOf, TRUSTED_KEYS } from '../testing/measurements.js';
import { promotionReport, type PromotionVerdict } from './evaluate-promotion.js';

const PAIRS = pairs();
const SIGNER = 'measurement-key-lab.1';

type Asked = { readonly of?: readonly unknown[]; readonly keys?: string | undefined };

/** Whether the envelope of a request is trusted; a request that was refused would have no metrics. */
function isTrusted(change: object = {}, { of = PAIRS, ...asked }: Asked = {}): boolean {
  const trustedKeys = 'keys' in asked ? asked.keys : TRUSTED_KEYS;
  const request = { pairs: of, options: options(of, change) };
  const verdict = judged('promotion', request, { trustedKeys }) as PromotionVerdict;
  return verdict.metrics.trusted_measurement_envelope;
}

const signed = (change: object): object => ({ measurement_envelope: envelope(PAIRS, change) });
const a = (count: number): string => 'a'.repeat(count);
const RUN = `measurement-${a(16)}`;

describe('a measurement envelope (§12.4)', () => {
  it('is trusted, and a failure is no error', () => {
    expect(isTrusted()).toBe(true);
    for (const measurement_envelope of [null, undefined, [], 'x', {}, 5]) {
      expect(isTrusted({ measurement_envelope })).toBe(false);
    }
  });

  it.each([
    ['schema', ['knowzcode.measurement-envelope/v1', null]],
    [
      'measurement_run_id',
      [`measurement-${a(15)}`, `measurement-${a(65)}`, `measurement-${'A'.repeat(16)}`, null, 5],
    ],
    [
      'signer_key_id',
      ['measurement-key-', 'measurement-key-LAB', 'measurement-key-other', `measurement-key-${a(65)}`],
    ],
    ['candidate_version', ['', '1.4.1', '-1', a(129), null]],
    ['corpus_version', ['corpus-4', null]],
    ['runtime_digest', [`sha256:${'8'.repeat(64)}`, null]],
    ['corpus_digest', [`sha256:${'8'.repeat(64)}`, null]],
    ['pair_count', [39, 41, '40', null]],
    ['accounting_source', ['provider-reported', null]],
    ['promotion_authorized', [false, 'true', 1, null]],
    ['measured_at', ['2031-03-10', null, 5]],
    ['extra', [null]],
    ['constructor', ['x']],
  ])('has no other %s, signed or not', (name, values) => {
    for (const value of values) expect([value, isTrusted(signed({ [name]: value }))]).toEqual([value, false]);
  });

  it.each(Object.keys(envelope(PAIRS)))('wants %s', (name) => {
    const { [name]: _, ...rest } = envelope(PAIRS) as Record<string, unknown>;
    expect(isTrusted({ measurement_envelope: rest })).toBe(false);
  });

  it.each([
    [`measurement-${a(16)}`, true],
    [`measurement-${a(64)}`, true],
  ])('takes the run %s', (measurement_run_id, expected) =>
    expect(isTrusted(signed({ measurement_run_id }))).toBe(expected),
  );

  it.each([
    ['five minutes ahead', '2031-03-10T12:05:00Z', true],
    ['a millisecond more', '2031-03-10T12:05:00.001Z', false],
    ['thirty days old', '2031-02-08T12:00:00Z', true],
    ['a millisecond older', '2031-02-08T11:59:59.999Z', false],
    ['older by less than a millisecond', '2031-02-08T11:59:59.9999Z', false],
    ['ahead by less than a millisecond', '2031-03-10T12:05:00.0009Z', true],
  ])('measured %s', (_, measured_at, expected) => expect(isTrusted(signed({ measured_at }))).toBe(expected));

  it('takes the clock where the time is absent', () => {
    const { now: _, ...rest } = options(PAIRS) as { now: unknown };
    const request = { pairs: PAIRS, options: rest };
    const trusted = (clock: number): boolean =>
      (judged('promotion', request, { clock, trustedKeys: TRUSTED_KEYS }) as PromotionVerdict).metrics
        .trusted_measurement_envelope;
    expect(trusted(Date.parse(NOON))).toBe(true);
    expect(trusted(Date.parse(NOON) - 300_001)).toBe(false);
    for (const now of [null, 'now', 5]) expect(isTrusted({ now })).toBe(false);
  });

  it.each([
    ['a ledger with others', [RUN], true],
    ['a ledger that has it', [`measurement-${'0a'.repeat(8)}`], false],
    ['no ledger', undefined, false],
    ['a null ledger', null, false],
    ['an object', {}, false],
    ['a text', '', false],
    ['a ledger with what is no run id', ['x'], false],
    ['a ledger with a number', [5], false],
  ])('%s', (_, consumed_measurement_run_ids, expected) =>
    expect(isTrusted({ consumed_measurement_run_ids })).toBe(expected),
  );

  it.each(['expected_candidate_version', 'expected_corpus_version', 'expected_runtime_digest'])(
    'wants %s',
    (name) => {
      for (const value of [undefined, null, '', 'x']) expect(isTrusted({ [name]: value })).toBe(false);
    },
  );

  it('takes a version of 128 where it is expected', () => {
    const version = `1${'.'.repeat(127)}`;
    const change = { ...signed({ candidate_version: version }), expected_candidate_version: version };
    expect(isTrusted(change)).toBe(true);
    const longer = {
      ...signed({ candidate_version: `${version}.` }),
      expected_candidate_version: `${version}.`,
    };
    expect(isTrusted(longer)).toBe(false);
  });

  it('is of these pairs, in their order, with all their fields', () => {
    const measurement_envelope = envelope(PAIRS);
    expect(isTrusted({ measurement_envelope }, { of: [...PAIRS].reverse() })).toBe(false);
    expect(isTrusted({ measurement_envelope }, { of: PAIRS.map((pair) => ({ ...pair, note: 'x' })) })).toBe(
      false,
    );
    const noted = PAIRS.map((pair) => ({ ...pair, note: '\ud800', deep: [[1]] }));
    expect(isTrusted({}, { of: noted })).toBe(true);
  });

  it('is not of pairs that have no canonical text', () => {
    const text = JSON.stringify({ pairs: PAIRS, options: options(PAIRS) });
    const verdict = (note: string): boolean => {
      const request = text.replace('"stratum":', `"note":${note},"stratum":`);
      return (judged('promotion', request, { trustedKeys: TRUSTED_KEYS }) as PromotionVerdict).metrics
        .trusted_measurement_envelope;
    };
    expect(verdict('1e999')).toBe(false);
    expect(verdict(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBe(false);
  });
});

describe('the signature (§12.4)', () => {
  const withSignature = (signature: unknown): object => ({
    measurement_envelope: { ...envelope(PAIRS), signature },
  });
  const { signature, ...unsigned } = envelope(PAIRS) as { signature: string };

  it.each([
    ['as it is', signature, true],
    ['without padding', signature.replace(/=+$/, ''), true],
    ['with a line end', `${signature}\n`, false],
    ['in base64url', signature.replaceAll('+', '-').replaceAll('/', '_').replace(/^./, '-'), false],
    ['cut', signature.slice(4), false],
    ['empty', '', false],
    ['of other text', signatureOf({ ...unsigned, pair_count: 41 }), false],
    ['of another key', signatureOf(unsigned, generateKeyPairSync('ed25519').privateKey), false],
    ['null', null, false],
  ])('%s', (_, value, expected) => expect(isTrusted(withSignature(value))).toBe(expected));
});

describe('trusted keys (§12.5)', () => {
  const keys = (key: unknown, more: object = {}): string => JSON.stringify({ ...more, [SIGNER]: key });
  const lines = PUBLIC_KEY.trim().split('\n');

  it.each([
    ['LF', PUBLIC_KEY, true],
    ['CRLF', PUBLIC_KEY.replaceAll('\n', '\r\n'), true],
    ['no line end after', PUBLIC_KEY.trimEnd(), true],
    ['two line ends after', `${PUBLIC_KEY}\n`, false],
    ['something before', `x\n${PUBLIC_KEY}`, false],
    ['something after', `${PUBLIC_KEY}x`, false],
    ['one line', lines.join(''), false],
    ['another label', PUBLIC_KEY.replaceAll('PUBLIC', 'PRIVATE'), false],
    ['no base64', [lines[0], '!!!!', lines[2]].join('\n'), false],
    ['base64 of something else', [lines[0], 'AAAA', lines[2]].join('\n'), false],
    [
      'another kind',
      generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      false,
    ],
    [
      'RSA',
      generateKeyPairSync('rsa', { modulusLength: 1024 })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString(),
      false,
    ],
    ['a number', 5, false],
  ])('%s', (_, key, expected) => expect(isTrusted({}, { keys: keys(key) })).toBe(expected));

  it.each([
    ['unset', undefined],
    ['empty', ''],
    ['no JSON', PUBLIC_KEY],
    ['a list', JSON.stringify([PUBLIC_KEY])],
    ['null', 'null'],
    ['of others', JSON.stringify({ 'measurement-key-other': PUBLIC_KEY })],
    ['of a prototype', `{"__proto__":${keys(PUBLIC_KEY)}}`],
  ])('%s', (_, text) => expect(isTrusted({}, { keys: text })).toBe(false));

  it('of 65536 characters, and not one more', () => {
    const filled = (length: number): string => keys(PUBLIC_KEY).padEnd(length, ' ');
    expect(isTrusted({}, { keys: filled(65_536) })).toBe(true);
    expect(isTrusted({}, { keys: filled(65_537) })).toBe(false);
  });

  it('never from the request', () => {
    const request = {
      pairs: PAIRS,
      options: { ...options(PAIRS), KNOWZCODE_TRUSTED_MEASUREMENT_KEYS: TRUSTED_KEYS },
    };
    const verdict = judged('promotion', { ...request, trustedKeys: TRUSTED_KEYS }) as PromotionVerdict;
    expect(verdict.metrics.trusted_measurement_envelope).toBe(false);
  });
});

describe('why an envelope is not trusted', () => {
  const other = `sha256:${'8'.repeat(64)}`;
  const stranger = generateKeyPairSync('ed25519').privateKey;
  const { signature: _, ...unsigned } = envelope(PAIRS) as Record<string, unknown>;
  const unmeasured = PAIRS.map((pair) => ({ ...pair, provenance: {} }));

  it.each<[string, readonly string[] | undefined, object, Asked?]>([
    ['nothing', undefined, {}],
    ['no envelope', ['malformed'], { measurement_envelope: null }],
    ['an unknown member', ['malformed'], signed({ extra: 1 })],
    ['another candidate', ['version_mismatch'], { expected_candidate_version: '1.4.1' }],
    ['another corpus', ['version_mismatch'], { expected_corpus_version: 'corpus-4' }],
    ['another runtime', ['runtime_digest_mismatch'], { expected_runtime_digest: other }],
    [
      'a run that is used up',
      ['consumed'],
      { consumed_measurement_run_ids: [`measurement-${'0a'.repeat(8)}`] },
    ],
    ['an old one', ['stale'], signed({ measured_at: '2031-02-08T11:59:59.999Z' })],
    ['one ahead', ['stale'], signed({ measured_at: '2031-03-10T12:05:00.001Z' })],
    ['other pairs', ['corpus_digest_mismatch'], signed({ corpus_digest: other })],
    ['another number of them', ['corpus_digest_mismatch'], signed({ pair_count: 41 })],
    ['no keys', ['unknown_key'], {}, { keys: undefined }],
    ['keys that are none', ['unknown_key'], {}, { keys: '{' }],
    ['another key', ['unknown_key'], signed({ signer_key_id: 'measurement-key-other' })],
    [
      'another hand',
      ['bad_signature'],
      { measurement_envelope: { ...unsigned, signature: signatureOf(unsigned, stranger) } },
    ],
    ['pairs that nobody measured', ['pairs_not_measured'], {}, { of: unmeasured }],
    [
      'all that is wrong',
      ['pairs_not_measured', 'version_mismatch', 'stale', 'unknown_key'],
      { expected_corpus_version: 'x', now: null },
      { of: unmeasured, keys: undefined },
    ],
  ])('%s', (_label, causes, change, { of = PAIRS, ...asked } = {}) => {
    const trustedKeys = 'keys' in asked ? asked.keys : TRUSTED_KEYS;
    const request = { pairs: of, options: options(of, change) };
    const { gates } = promotionReport(request, { clock: Date.parse(NOON), trustedKeys });
    const [provenance] = gates.filter(({ gate }) => gate === 'provenance');
    expect(provenance).toEqual({
      gate: 'provenance',
      figure: null,
      threshold: null,
      passed: causes === undefined,
      ...(causes && { causes }),
    });
    const verdict = judged('promotion', request, { trustedKeys }) as PromotionVerdict;
    expect(verdict.gates.provenance).toBe(causes === undefined);
    expect(JSON.stringify(verdict)).not.toContain('causes');
  });
});
