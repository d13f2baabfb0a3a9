import { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import { createPool } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import {
  lineageRegistryMigrations,
  PostgresRolloutStore,
  PostgresTelemetry,
  PostgresWorkgroupStore,
} from '@palimpsest/lineage-registry';
import type { BenchContext, BenchGroup, Row } from '../bench-group.js';
import { median, medianRatio } from '../measure/statistics.js';
import { leaseRate, type Contender, type Load } from './contender.js';
import { rawTransactions } from './raw-transactions.js';
import { registryLeases } from './registry-leases.js';

const CONNECTIONS = 16;
const LOADS: readonly Load[] = [1, 16, 64].flatMap((clients) => [
  { clients, spread: 'one workgroup' } as const,
  ...(clients > 1 ? [{ clients, spread: 'a workgroup each' } as const] : []),
]);

/** Leases taken and given back, durable: two transactions each, one round of either contender after the other. */
export const registryGroup: BenchGroup = {
  name: 'registry',
  async run(context) {
    const database = await createTestDatabase([lineageRegistryMigrations]);
    const pool = createPool(database.url, { applicationName: 'bench', maxConnections: CONNECTIONS });
    const ours = registryLeases({
      workgroups: new PostgresWorkgroupStore(pool),
      rollouts: new PostgresRolloutStore(pool),
      telemetry: new PostgresTelemetry(pool),
      artifacts: new MemoryArtifactStore(),
      ids: { runId: () => 'run_bench', requestId: () => 'req_bench' },
    });
    try {
      const raw = await rawTransactions(pool);
      const rows: Row[] = [];
      for (const load of LOADS) rows.push(await compared(ours, raw, { load, context }));
      return rows;
    } finally {
      await pool.end();
      await database.drop();
    }
  },
};

async function compared(
  ours: Contender,
  raw: Contender,
  { load, context }: { readonly load: Load; readonly context: BenchContext },
): Promise<Row> {
  const { clients, spread } = load;
  const name = clients === 1 ? '1 client' : `${clients} clients, ${spread}`;
  const own: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round <= (context.quick ? 1 : 5); round += 1) {
    context.progress(`registry: ${name}, round ${round}`);
    const forMs = round === 0 || context.quick ? 200 : 1000;
    const rates = [await leaseRate(ours, load, forMs), await leaseRate(raw, load, forMs)] as const;
    // Round 0 warms both up.
    if (round === 0) continue;
    own.push(rates[0]);
    baseline.push(rates[1]);
  }
  return {
    group: 'registry',
    case: name,
    value: median(own),
    unit: 'leases/s',
    ratio: medianRatio(own, baseline),
    baseline: `${raw.name} (${median(baseline).toFixed(0)})`,
  };
}
