import type { Event } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore, type PostgresEventStore } from '@event-driven-io/emmett-postgresql';
import type { Pool } from 'pg';
import type { Contender } from './contender.js';
import { sampleEvent } from './sample-event.js';

/** Emmett's event store on a pool of the same size, with its own schema in the same database. */
export async function emmettStore(url: string, pool: Pool): Promise<[Contender, PostgresEventStore]> {
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pool } });
  await store.schema.migrate();
  const contender: Contender = {
    name: 'emmett-postgresql',
    writer: (id) => {
      let version = 0n;
      return async (count) => {
        const from = Number(version);
        const events = Array.from({ length: count }, (_, place) => emmettEvent(from + place));
        const appended = await store.appendToStream(`bench-${id}`, events, {
          expectedStreamVersion: version,
        });
        version = appended.nextExpectedStreamVersion;
      };
    },
  };
  return [contender, store];
}

function emmettEvent(place: number): Event {
  const { type, payload, counts, schemaVersion } = sampleEvent(place);
  return { type, data: payload, metadata: { counts, schemaVersion } } as Event;
}
