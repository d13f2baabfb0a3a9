import type { RecordedTelemetry, TelemetryList } from '@palimpsest/contracts/registry';
import type { Clock } from '@palimpsest/kernel';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import { decidedModes, observedIn } from '../domain/telemetry/observed-in.js';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import type { TelemetryRow } from './insert-telemetry.js';
import type { Observed, TelemetryEntry, TelemetryPage, TelemetryStore } from './telemetry-store.js';

type StoredRow = TelemetryRow & { readonly position: number; readonly recordedAt: string };

/** Telemetry of one process's life, for tests. */
export class MemoryTelemetry implements TelemetryStore {
  readonly #clock: Clock;
  readonly #rows = new Map<string, StoredRow[]>();
  #lastPosition = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `insertTelemetry` is to the other store: for the twins of stores whose decisions bring events. */
  insert(tenantId: string, rows: readonly DecidedTelemetry[]): void {
    for (const row of rows) this.#add(tenantId, row);
  }

  record(
    tenantId: string,
    environment: string,
    events: readonly TelemetryEntry[],
  ): Promise<RecordedTelemetry> {
    const answer = { recorded: [] as string[], duplicates: [] as string[] };
    for (const entry of events) {
      const isNew = this.#add(tenantId, { environment, ...entry, family: null, rolloutVersion: null });
      (isNew ? answer.recorded : answer.duplicates).push(entry.id);
    }
    return Promise.resolve(answer);
  }

  list({ tenantId, environment, after, limit }: TelemetryPage): Promise<TelemetryList> {
    const rows = this.#of(tenantId, environment).filter(({ position }) => position > after);
    const page = rows.slice(0, limit);
    const next = rows.length > limit ? page.at(-1)?.position : undefined;
    const events = page.map(({ position, id, recordedAt, event }) => ({ position, id, recordedAt, event }));
    return Promise.resolve({ events, ...(next !== undefined && { next }) } as TelemetryList);
  }

  observed(tenantId: string, environment: string, since: string | null): Promise<readonly Observed[]> {
    const done = this.#of(tenantId, environment).filter(({ isRecommendation }) => !isRecommendation);
    const counted = done.filter(({ recordedAt }) => since === null || recordedAt >= since);
    const modes = decidedModes(done.map(({ event }) => event));
    return Promise.resolve(
      observedIn(
        counted.map(({ event }) => event),
        modes,
      ),
    );
  }

  /** For the twin of the rollouts' store: the selector was called in this version of a family, and its event recorded. */
  hasSelection(
    tenantId: string,
    { environment, family, version }: Pick<RolloutStanding, 'environment' | 'family' | 'version'>,
  ): boolean {
    const isSelection = (row: StoredRow): boolean =>
      row.family === family && row.rolloutVersion === version && row.event.event === 'dispatch_decision';
    return this.#of(tenantId, environment).some(isSelection);
  }

  #add(tenantId: string, row: TelemetryRow): boolean {
    const rows = this.#of(tenantId, row.environment);
    if (rows.some(({ id }) => id === row.id)) return false;
    this.#lastPosition += 1;
    const place = { position: this.#lastPosition, recordedAt: this.#clock.now().toISOString() };
    rows.push({ ...structuredClone(row), ...place });
    return true;
  }

  #of(tenantId: string, environment: string): StoredRow[] {
    const key = `${tenantId}/${environment}`;
    const rows = this.#rows.get(key) ?? [];
    this.#rows.set(key, rows);
    return rows;
  }
}
