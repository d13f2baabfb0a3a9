import type { ForkOrigin, JsonValue, NewRunEvent } from '@palimpsest/contracts';
import type { ContentHash } from '../artifacts/artifact-id.js';
import { canonicalStored } from '../canonical-json.js';

/**
 * The hash chain of a run (docs/adr/0008). `link = SHA-256(link before ‖ content hash ‖ time ‖ cause)`; the content hash
 * covers what an event says at its place, and nothing that changes when a fork re-emits it. Hashes are hexadecimal.
 */
export type ChainHash = Pick<ContentHash, 'sha256' | 'sha256Hex'>;

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
export function contentHashOf(hash: ChainHash, event: PlacedContent): string {
  return hash.sha256Hex(contentText(event));
}

/**
 * `canonicalStored` of the members, put together here, where their order is known: every append makes it for every event.
 */
export function contentText(event: PlacedContent): string {
  const { sequence, type, payload, schemaVersion, nodeId, counts } = event;
  const tokens = counts
    ? `"counts":{"chars":${counts.chars},"cl100k_base":${counts.cl100k_base},"o200k_base":${counts.o200k_base}},`
    : '';
  const node = nodeId === undefined ? '' : `"nodeId":${JSON.stringify(nodeId)},`;
  const place = `"schemaVersion":${schemaVersion},"sequence":${sequence},"type":${JSON.stringify(type)}`;
  return `{${tokens}${node}"payload":${canonicalStored(payload)},${place}}`;
}

/** The link before a run's first event: a function of whose run it is. */
export function genesisLink(hash: ChainHash, tenantId: string, runId: string): string {
  return hash.sha256Hex(canonicalStored({ chain: 'palimpsest.genesis.v1', tenantId, runId }));
}

/** The link before a fork's first own event; `before` is its source's link at `fromSequence − 1`, or its genesis. */
export function forkLink(hash: ChainHash, before: string, fork: ForkRecord): string {
  return toHex(hash.sha256(joined([fromHex(before), utf8(forkRecordText(fork))])));
}

export function forkRecordText({ tenantId, runId, origin, createdAt }: ForkRecord): string {
  const { runId: sourceRunId, fromSequence, mode } = origin;
  const record: JsonValue = { tenantId, runId, sourceRunId, fromSequence, mode, createdAt };
  return canonicalStored({ chain: 'palimpsest.fork.v1', ...record });
}

type Recorded = {
  readonly contentHash: string;
  readonly timestamp: string;
  readonly causationId?: string | undefined;
};

export function linkAfter(hash: ChainHash, before: string, event: Recorded): string {
  const { contentHash, timestamp, causationId = '' } = event;
  return toHex(hash.sha256(joined([fromHex(before), fromHex(contentHash), utf8(timestamp + causationId)])));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let place = 0; place < bytes.length; place += 1)
    bytes[place] = Number.parseInt(hex.slice(2 * place, 2 * place + 2), 16);
  return bytes;
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
