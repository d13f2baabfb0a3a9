import { envelope, pairs } from '@palimpsest/context-efficiency/testing';

/** What the sample measurements were made with. */
export const CANDIDATE = {
  candidateVersion: '1.4.0+b7',
  corpusVersion: 'corpus-3',
  runtimeDigest: `sha256:${'7'.repeat(64)}`,
};

/** Pairs that pass every gate, measured just now; signed by a key that deployments of these specs trust. */
export function signedEvidence(): { readonly pairs: object; readonly measurementEnvelope: object } {
  const measured = pairs();
  const measuredAt = { measured_at: new Date().toISOString() };
  return { pairs: measured, measurementEnvelope: envelope(measured, measuredAt) };
}
