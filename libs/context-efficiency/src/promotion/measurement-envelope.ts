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

/** §12.4. A failure of whatever kind makes the envelope untrusted; none is an error. */
export function isTrustedEnvelope(trust: Trust): boolean {
  try {
    const envelope = factOf(trust.options, 'measurement_envelope');
    return (
      fits(envelope) &&
      isExpected(envelope as Facts, trust.options) &&
      isFresh(envelope as Facts, trust) &&
      isOfPairs(envelope as Facts, trust.pairs) &&
      isSigned(envelope as Facts, trust.trustedKeys)
    );
  } catch {
    return false;
  }
}

/** The expected values are well formed where the envelope's are and both are equal. */
function isExpected(envelope: Facts, options: Facts): boolean {
  const consumed = factOf(options, 'consumed_measurement_run_ids');
  const isNew =
    Array.isArray(consumed) && consumed.every(isRunId) && !consumed.includes(envelope['measurement_run_id']);
  const isAsExpected = ['candidate_version', 'corpus_version', 'runtime_digest'].every(
    (name) => envelope[name] === factOf(options, `expected_${name}`),
  );
  return isNew && isAsExpected;
}

function isFresh(envelope: Facts, { options, clock }: Trust): boolean {
  const now = Object.hasOwn(options, 'now') ? instantOf(factOf(options, 'now')) : clock;
  const measured = instantOf(envelope['measured_at']);
  if (now === undefined || measured === undefined) return false;
  return measured - now <= MAX_AHEAD_MS && now - measured <= MAX_AGE_MS;
}

function isOfPairs(envelope: Facts, pairs: readonly unknown[]): boolean {
  return (
    envelope['pair_count'] === pairs.length && envelope['corpus_digest'] === digestOf(canonicalJson(pairs))
  );
}

function isSigned({ signature, ...signed }: Facts, trustedKeys: string | undefined): boolean {
  const publicKey = trustedKey(trustedKeys, signed['signer_key_id'] as string);
  if (publicKey === undefined) return false;
  return isSignedBy({ text: canonicalJson(signed), signature: signature as string, publicKey });
}
