import { digestOf, isSignedBy } from '../hashing/digests.js';
import { canonicalJson } from '../json/canonical-json.js';
import { factOf, type Facts } from '../json/facts.js';
import { closedObject, oneOf, type Check } from '../schema/checks.js';
import { instantOf, isDateTime } from '../vocabulary/date-time.js';
import { isDigest } from '../vocabulary/identifiers.js';
import { trustedKey } from './trusted-keys.js';

export const ENVELOPE_SCHEMA = 'knowzcode.measurement-envelope/v2';
/** How far ahead of the coordinator's clock a measurement may be, and how old. */
export const MAX_AHEAD_MS = 300_000;
export const MAX_AGE_MS = 2_592_000_000;

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

export const isRunId = matches(/^measurement-[0-9a-f]{16,64}$/);
const isVersion = matches(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/);

const fits = closedObject({
  schema: oneOf([ENVELOPE_SCHEMA]),
  measurement_run_id: isRunId,
  signer_key_id: matches(/^measurement-key-[a-z0-9._-]{1,64}$/),
  candidate_version: isVersion,
  corpus_version: isVersion,
  runtime_digest: isDigest,
  corpus_digest: isDigest,
  pair_count: Number.isInteger,
  accounting_source: oneOf(['authoritative']),
  promotion_authorized: oneOf([true]),
  measured_at: isDateTime,
  signature: matches(/^[A-Za-z0-9+/]+={0,2}$/),
});

/** What an envelope is judged by: `options` of the request, and what the process knows itself. */
export type Trust = {
  readonly pairs: readonly unknown[];
  readonly options: Facts;
  /** Milliseconds of Unix time, where the options have no `now`. */
  readonly clock: number;
  /** The JSON text of trusted keys (contract §12.5). */
  readonly trustedKeys: string | undefined;
};

/** What may be wrong with an envelope (§12.4), for whoever has to mend it. */
export type EnvelopeFault =
  | 'malformed'
  | 'version_mismatch'
  | 'runtime_digest_mismatch'
  | 'consumed'
  | 'stale'
  | 'corpus_digest_mismatch'
  | 'unknown_key'
  | 'bad_signature';

type Rule = (envelope: Facts, trust: Trust) => boolean;

const RULES: readonly (readonly [EnvelopeFault, Rule])[] = [
  ['version_mismatch', isExpected('candidate_version', 'corpus_version')],
  ['runtime_digest_mismatch', isExpected('runtime_digest')],
  ['consumed', isNew],
  ['stale', isFresh],
  ['corpus_digest_mismatch', isOfPairs],
  ['unknown_key', (envelope, trust) => keyOf(envelope, trust) !== undefined],
  ['bad_signature', isSigned],
];

/** §12.4: everything for which the envelope is not trusted; nothing where it is. A failure of whatever kind is such a fault, none an error. */
export function envelopeFaults(trust: Trust): readonly EnvelopeFault[] {
  const envelope = factOf(trust.options, 'measurement_envelope');
  if (!holds(() => fits(envelope))) return ['malformed'];
  return RULES.filter(([, rule]) => !holds(() => rule(envelope as Facts, trust))).map(([fault]) => fault);
}

function holds(judge: () => boolean): boolean {
  try {
    return judge();
  } catch {
    return false;
  }
}

/** The expected values are well formed where the envelope's are and both are equal. */
function isExpected(...names: readonly string[]): Rule {
  return (envelope, { options }) =>
    names.every((name) => envelope[name] === factOf(options, `expected_${name}`));
}

function isNew(envelope: Facts, { options }: Trust): boolean {
  const consumed = factOf(options, 'consumed_measurement_run_ids');
  return (
    Array.isArray(consumed) && consumed.every(isRunId) && !consumed.includes(envelope['measurement_run_id'])
  );
}

function isFresh(envelope: Facts, { options, clock }: Trust): boolean {
  const now = Object.hasOwn(options, 'now') ? instantOf(factOf(options, 'now')) : clock;
  const measured = instantOf(envelope['measured_at']);
  if (now === undefined || measured === undefined) return false;
  return measured - now <= MAX_AHEAD_MS && now - measured <= MAX_AGE_MS;
}

function isOfPairs(envelope: Facts, { pairs }: Trust): boolean {
  return (
    envelope['pair_count'] === pairs.length && envelope['corpus_digest'] === digestOf(canonicalJson(pairs))
  );
}

/** By a key that is known; that there is none is a fault of its own. */
function isSigned({ signature, ...signed }: Facts, trust: Trust): boolean {
  const publicKey = keyOf(signed, trust);
  if (publicKey === undefined) return true;
  return isSignedBy({ text: canonicalJson(signed), signature: signature as string, publicKey });
}

function keyOf(envelope: Facts, { trustedKeys }: Trust): string | undefined {
  try {
    return trustedKey(trustedKeys, envelope['signer_key_id'] as string);
  } catch {
    return undefined;
  }
}
