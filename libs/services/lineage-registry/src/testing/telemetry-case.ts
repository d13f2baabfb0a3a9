import type { TelemetryList } from '@palimpsest/contracts/registry';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import type { TelemetryStore } from '../store/telemetry-store.js';

export type TelemetryHarness = {
  readonly store: TelemetryStore;
  /** Records what a decision brings, in a transaction of its own. */
  readonly decide: (tenantId: string, rows: readonly DecidedTelemetry[]) => Promise<void>;
};

export type TelemetryCase = TelemetryHarness & { readonly tenantId: string };

/** All there is once as many are listed: an open transaction elsewhere on the server holds the newest back. */
export async function listed(
  { store, tenantId }: Pick<TelemetryCase, 'store' | 'tenantId'>,
  count: number,
  environment = 'test',
): Promise<TelemetryList['events']> {
  const page = { tenantId, environment, after: 0, limit: 500 };
  return waitUntil(async () => {
    const { events } = await store.list(page);
    return events.length >= count && events;
  });
}
