import type { EfficiencyEvent } from '@palimpsest/context-efficiency';
import type { RecordedTelemetry, RolloutReport, TelemetryList } from '@palimpsest/contracts/registry';

/** A canonical event (contract §7.2) under its sender's id. */
export type TelemetryEntry = { readonly id: string; readonly event: EfficiencyEvent };

export type TelemetryPage = {
  readonly tenantId: string;
  readonly environment: string;
  /** Position to go on after; 0 for the start. */
  readonly after: number;
  readonly limit: number;
};

/** See `observedIn` for what each figure is a mean of. */
export type Observed = RolloutReport['observed'][number];

/** Efficiency events of an environment. Nothing is changed or removed. Events are checked before they come here. */
export interface TelemetryStore {
  /**
   * All of a batch or nothing. What was recorded under an id before stays as it is; of events at once under one id, in
   * this batch or several, one is recorded. Both lists have the ids in the batch's order.
   */
  record(
    tenantId: string,
    environment: string,
    events: readonly TelemetryEntry[],
  ): Promise<RecordedTelemetry>;
  /**
   * In the order in which they were committed, which is final: nothing will ever appear before a position that was handed
   * out, so who goes on after the last one misses nothing. It is not quite the order of the numbers: a position is a cursor
   * and says nothing by its size. What was recorded just now comes once no older transaction is open.
   */
  list(page: TelemetryPage): Promise<TelemetryList>;
  /**
   * What the events of the environment show that were recorded at this time or later (ISO 8601; `null`: all), by mode, `null`
   * last. Recommendations count nowhere. An event without a mode has that of the newest `dispatch_decision` of its
   * `task_corpus_id` in the environment, whenever that was; without such a one it has none.
   */
  observed(tenantId: string, environment: string, since: string | null): Promise<readonly Observed[]>;
}
