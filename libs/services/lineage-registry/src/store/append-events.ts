import { storableJson } from '@palimpsest/kernel';
import type { JsonObject } from '@palimpsest/contracts';
import type { PoolClient } from 'pg';

export type StreamPlace = {
  readonly tenantId: string;
  readonly stream: string;
  /** The sequence of the stream's last event; −1 where it has none. */
  readonly after: number;
  /** ISO 8601 with milliseconds. */
  readonly recordedAt: string;
};

/** As the text has it: numbers stay as they are written. */
const APPEND = `INSERT INTO lineage_registry.events (tenant_id, stream, sequence, type, payload, recorded_at)
SELECT $1, $2, $3::int + given.place::int, given.event->>'type', given.event->'payload', $4
FROM json_array_elements($5::json) WITH ORDINALITY AS given(event, place)`;

/** Appends to a stream whose row the transaction has locked: nobody else appends to it, so its sequences are dense. */
export async function appendEvents(
  client: PoolClient,
  { tenantId, stream, after, recordedAt }: StreamPlace,
  events: readonly { readonly type: string; readonly payload: object }[],
): Promise<void> {
  const texts = events.map((event, place) => storableJson(event as unknown as JsonObject, `events.${place}`));
  await client.query(APPEND, [tenantId, stream, after, recordedAt, `[${texts.join(',')}]`]);
}
