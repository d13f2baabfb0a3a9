import { eventIdOf, type EventLink, type JsonObject, type RecordedEvent } from '@palimpsest/contracts';

/** Columns of `run_log.events` that make a recorded event, of a table named `alias`. */
export function eventColumns(alias: string): string {
  return [
    'sequence',
    'type',
    'node_id',
    'causation_id',
    'schema_version',
    'payload',
    'recorded_at',
    'tokens_o200k_base',
    'tokens_cl100k_base',
    'tokens_chars',
  ]
    .map((column) => `${alias}.${column}`)
    .join(', ');
}

export function chainColumns(alias: string): string {
  return `${alias}.content_hash, ${alias}.link`;
}

/** Selected only for those who ask. */
export type ChainRow = { readonly content_hash: Buffer | null; readonly link: Buffer | null };

/** The link of a row of the run `writtenIn`; undefined where that has no chain. */
export function chainOf(writtenIn: string, row: EventRow & ChainRow): EventLink | undefined {
  const { causation_id: causationId, content_hash: contentHash, link } = row;
  if (!contentHash || !link) return undefined;
  return {
    writtenIn,
    ...(causationId !== null && { causationId }),
    contentHash: contentHash.toString('hex'),
    link: link.toString('hex'),
  };
}

export type EventRow = {
  readonly sequence: number;
  readonly type: string;
  readonly node_id: string | null;
  readonly causation_id: string | null;
  readonly schema_version: number;
  readonly payload: JsonObject;
  readonly recorded_at: Date;
  readonly tokens_o200k_base: number | null;
  readonly tokens_cl100k_base: number | null;
  readonly tokens_chars: number | null;
};

/** The event as the run shows it; the row may stand in an ancestor. */
export function recordedEvent(runId: string, row: EventRow): RecordedEvent {
  return {
    eventId: eventIdOf(runId, row.sequence),
    runId,
    type: row.type,
    payload: row.payload,
    timestamp: row.recorded_at.toISOString(),
    sequence: row.sequence,
    schemaVersion: row.schema_version,
    ...(row.node_id !== null && { nodeId: row.node_id }),
    ...(row.causation_id !== null && { causationId: row.causation_id }),
    ...tokenCounts(row),
  };
}

function tokenCounts(row: EventRow): Pick<RecordedEvent, 'counts'> {
  const { tokens_o200k_base: o200k_base, tokens_cl100k_base: cl100k_base, tokens_chars: chars } = row;
  if (o200k_base === null || cl100k_base === null || chars === null) return {};
  return { counts: { o200k_base, cl100k_base, chars } };
}
