import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { RecordedTelemetry, TelemetryList } from '@palimpsest/contracts/registry';
import type { Pool } from 'pg';
import { insertRows, type TelemetryRow } from './insert-telemetry.js';
import { listTelemetry } from './list-telemetry.js';
import { observeTelemetry } from './observe-telemetry.js';
import type { Observed, TelemetryEntry, TelemetryPage, TelemetryStore } from './telemetry-store.js';

export class PostgresTelemetry implements TelemetryStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** One statement is one transaction. */
  async record(
    tenantId: string,
    environment: string,
    events: readonly TelemetryEntry[],
  ): Promise<RecordedTelemetry> {
    const rows = new Map<string, TelemetryRow>();
    for (const { id, event } of events) {
      if (!rows.has(id)) rows.set(id, { environment, id, event, family: null, rolloutVersion: null });
    }
    const isNew = new Set(
      await withDatabaseErrors(() => insertRows(this.#pool, tenantId, [...rows.values()])),
    );
    const answer = { recorded: [] as string[], duplicates: [] as string[] };
    for (const { id } of events) (isNew.delete(id) ? answer.recorded : answer.duplicates).push(id);
    return answer;
  }

  list(page: TelemetryPage): Promise<TelemetryList> {
    return withDatabaseErrors(() => listTelemetry(this.#pool, page));
  }

  observed(tenantId: string, environment: string, since: string | null): Promise<readonly Observed[]> {
    return withDatabaseErrors(() => observeTelemetry(this.#pool, { tenantId, environment, since }));
  }
}
