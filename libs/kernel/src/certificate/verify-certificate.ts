import type { CertifiedRun } from '@palimpsest/contracts';
import { hasCode } from '../errors/palimpsest-error.js';
import {
  CertificateReader,
  type CertificateCheck,
  type CertificateDifference,
} from './certificate-reader.js';

export type CertificateVerdict = {
  /** Everything is as it was issued, and signed with a key that is trusted. */
  readonly ok: boolean;
  readonly run?: Pick<CertifiedRun, 'tenantId' | 'runId'> & { readonly ancestors: readonly string[] };
  /** What was read up to the end, or to the first difference. */
  readonly events: number;
  readonly artifacts: {
    readonly listed: number;
    /** Those whose bytes were at hand. */
    readonly compared: number;
    readonly erased: number;
    readonly missing: number;
    readonly damaged: number;
  };
  readonly issuedAt?: string;
  readonly keyId?: string;
  readonly signature: 'valid' | 'invalid' | 'not checked';
  /** `line` is the one of the file, from 1. */
  readonly firstDifference?: CertificateDifference & { readonly line: number };
};

/**
 * Checks a certificate without a server, line by line: the form, every event and link from the beginning to the head,
 * the causes, the list of artifacts, the bytes of those at hand, the counts, the signature. Stops at the first
 * difference. Lines that cannot be read reject with `validation_error` or `payload_too_large`: they are a difference.
 */
export async function verifyCertificate(
  check: CertificateCheck,
  lines: AsyncIterable<unknown>,
): Promise<CertificateVerdict> {
  const reader = new CertificateReader(check);
  let line = 0;
  try {
    for await (const each of lines) {
      line += 1;
      const difference = await reader.takes(each);
      if (difference) return verdict(check, reader, { ...difference, line });
    }
  } catch (error) {
    if (!UNREADABLE.some((code) => hasCode(error, code))) throw error;
    return verdict(check, reader, { what: 'form', line: line + 1 });
  }
  const difference = reader.ends();
  return verdict(check, reader, difference && { ...difference, line: line + 1 });
}

const UNREADABLE = ['validation_error', 'payload_too_large'] as const;

function verdict(
  check: CertificateCheck,
  reader: CertificateReader,
  difference: CertificateVerdict['firstDifference'],
): CertificateVerdict {
  const { run, end } = reader;
  const signature = signatureOf(check, reader, difference);
  return {
    ok: difference === undefined && signature === 'valid',
    ...(run && { run: runOf(run) }),
    events: reader.events,
    artifacts: { listed: reader.artifacts, compared: reader.compared.artifacts, ...reader.absent },
    ...(end && { issuedAt: end.issuedAt, keyId: end.signature.keyId }),
    signature,
    ...(difference && { firstDifference: difference }),
  };
}

function runOf({
  run,
  ancestors,
}: NonNullable<CertificateReader['run']>): NonNullable<CertificateVerdict['run']> {
  const { tenantId, runId } = run;
  return { tenantId, runId, ancestors: ancestors.map((ancestor) => ancestor.runId) };
}

function signatureOf(
  { isSigned }: CertificateCheck,
  { end }: CertificateReader,
  difference: CertificateVerdict['firstDifference'],
): CertificateVerdict['signature'] {
  if (difference?.what === 'signature') return 'invalid';
  return isSigned && end && !difference ? 'valid' : 'not checked';
}
