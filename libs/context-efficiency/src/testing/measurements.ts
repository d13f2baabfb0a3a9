import { generateKeyPairSync, sign } from 'node:crypto';
import { digestOf } from '../hashing/digests.js';
import { canonicalJson } from '../json/canonical-json.js';
import { STRATA, type Stratum } from '../vocabulary/words.js';
import { NOON } from './judged.js';

const RUN = `measurement-${'0a'.repeat(8)}`;
const SIGNER = 'measurement-key-lab.1';
const RUNTIME = `sha256:${'7'.repeat(64)}`;

export type Pair = {
  readonly id: string;
  readonly stratum: Stratum;
  readonly provenance: object;
  readonly baseline: Readonly<Record<string, number>>;
  readonly candidate: Readonly<Record<string, number>>;
};

/** Pairs that pass every gate, each by its limit exactly where that can be said. */
export function pairs(perStratum = 8): Pair[] {
  return STRATA.flatMap((stratum) =>
    Array.from({ length: perStratum }, (_, place) => ({
      id: `${stratum}-${String(place).padStart(2, '0')}`,
      stratum,
      provenance: { kind: 'measured', empirical: true, promotion_authorized: true },
      baseline: {
        billed_cost: 100,
        wall_time_ms: 1000,
        quality_score: 90,
        rework_rounds: 0,
        escaped_high_critical: 0,
      },
      candidate: {
        billed_cost: 75,
        wall_time_ms: 850,
        quality_score: 88,
        rework_rounds: 0,
        escaped_high_critical: 0,
        provider_reported_total: 1000,
        event_accounted_total: 980,
      },
    })),
  );
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

export const PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString();
export const TRUSTED_KEYS = JSON.stringify({ [SIGNER]: PUBLIC_KEY });

/** An envelope for the pairs; a change is signed too. */
export function envelope(of: readonly unknown[], change: object = {}): object {
  const unsigned = {
    schema: 'knowzcode.measurement-envelope/v2',
    measurement_run_id: RUN,
    signer_key_id: SIGNER,
    candidate_version: '1.4.0+b7',
    corpus_version: 'corpus-3',
    runtime_digest: RUNTIME,
    corpus_digest: digestOf(canonicalJson(of)),
    pair_count: of.length,
    accounting_source: 'authoritative',
    promotion_authorized: true,
    measured_at: NOON,
    ...change,
  };
  return { signature: signatureOf(unsigned), ...unsigned };
}

export function signatureOf(unsigned: object, key = privateKey): string {
  return sign(null, Buffer.from(canonicalJson(unsigned)), key).toString('base64');
}

export function options(of: readonly unknown[], change: object = {}): object {
  return {
    measurement_envelope: envelope(of),
    now: NOON,
    consumed_measurement_run_ids: [],
    expected_candidate_version: '1.4.0+b7',
    expected_corpus_version: 'corpus-3',
    expected_runtime_digest: RUNTIME,
    ...change,
  };
}
