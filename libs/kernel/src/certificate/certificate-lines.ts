import type { CertificateEventLine, CertifiedRun, EventLink } from '@palimpsest/contracts';
import type { ChainedEvent, ChainRun } from '../event-log/verify-chain.js';

/** As much of a run as its chain begins with. */
export function certifiedRun({ tenantId, runId, createdAt, origin }: ChainRun): CertifiedRun {
  return { tenantId, runId, createdAt, ...(origin && { origin }) };
}

/** An event with its link, as a line: ids that follow from its place are left out. */
export function certifiedEvent(event: ChainedEvent, link: EventLink): CertificateEventLine {
  const { sequence, type, payload, schemaVersion, nodeId, counts, timestamp } = event;
  const optional = { ...(nodeId !== undefined && { nodeId }), ...(counts && { counts }) };
  return { line: 'event', sequence, type, payload, schemaVersion, ...optional, timestamp, ...link };
}

/** The event that a line was made of. */
export function eventOfLine(line: CertificateEventLine): ChainedEvent & { readonly chain: EventLink } {
  const { line: _line, writtenIn, causationId, contentHash, link, ...event } = line;
  const cause = causationId !== undefined && { causationId };
  return { ...(event as ChainedEvent), chain: { writtenIn, ...cause, contentHash, link } };
}
