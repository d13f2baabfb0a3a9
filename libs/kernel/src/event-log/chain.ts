import type { ForkOrigin, NewRunEvent } from '@palimpsest/contracts';
import type { ContentHash } from '../artifacts/artifact-id.js';
import { canonicalStored } from '../canonical-json.js';

/**
 * The hash chain of a run (docs/adr/0008). `link = SHA-256(link before ‖ content hash ‖ time ‖ cause)`; the content hash
 * covers what an event says at its place, and nothing that changes when a fork re-emits it.
 */
export type Sha256 = ContentHash['sha256'];

/** What starts a fork's chain, beside its source's link before the fork point. */
export type ForkRecord = {
  readonly tenantId: string;
  readonly runId: string;
  readonly origin: ForkOrigin;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
};

export type PlacedContent = Pick<NewRunEvent, 'type' | 'payload' | 'schemaVersion' | 'nodeId' | 'counts'> & {
  readonly sequence: number;
};

/** SHA-256 over the RFC 8785 text of what an event says. */
export function contentHashOf(sha256: Sha256, event: PlacedContent): Uint8Array {
  const { sequence, type, payload, schemaVersion, nodeId, counts } = event;
  const said = {
    sequence,
    type,
    payload,
    schemaVersion,
    ...(nodeId !== undefined && { nodeId }),
    ...(counts && { counts }),
  };
  return sha256(utf8(canonicalStored(said)));
}

/** The link before a run's first event: a function of whose run it is. */
export function genesisLink(sha256: Sha256, tenantId: string, runId: string): Uint8Array {
  return sha256(utf8(canonicalStored({ chain: 'palimpsest.genesis.v1', tenantId, runId })));
}

/** The link before a fork's first own event; `before` is its source's link at `fromSequence − 1`, or its genesis. */
export function forkLink(sha256: Sha256, before: Uint8Array, fork: ForkRecord): Uint8Array {
  return sha256(joined([before, forkRecordBytes(fork)]));
}

export function forkRecordBytes({ tenantId, runId, origin, createdAt }: ForkRecord): Uint8Array {
  const { runId: sourceRunId, fromSequence, mode } = origin;
  const record = { tenantId, runId, sourceRunId, fromSequence, mode, createdAt };
  return utf8(canonicalStored({ chain: 'palimpsest.fork.v1', ...record }));
}

type Recorded = {
  readonly contentHash: Uint8Array;
  readonly timestamp: string;
  readonly causationId?: string | undefined;
};

export function linkAfter(sha256: Sha256, before: Uint8Array, event: Recorded): Uint8Array {
  return sha256(joined([before, event.contentHash, utf8(event.timestamp + (event.causationId ?? ''))]));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, place) =>
    Number.parseInt(hex.slice(2 * place, 2 * place + 2), 16),
  );
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
