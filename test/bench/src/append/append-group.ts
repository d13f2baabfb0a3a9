import pg from 'pg';
import { createPool, PostgresEventLog, runLogMigrations } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { BenchContext, BenchGroup, Row } from '../bench-group.js';
import { median, medianRatio } from '../measure/statistics.js';
import { throughput, type Contender, type Load } from './contender.js';
import { emmettStore } from './emmett-store.js';
import { palimpsestLog } from './palimpsest-log.js';
import { rawInsert } from './raw-insert.js';

/** As many as there are writers at most, for everybody. */
const CONNECTIONS = 16;

type Field = { readonly ours: Contender; readonly raw: Contender; readonly emmett: Contender };

/** Durable appends, one round of each contender after the other, against the same server and database. */
export const appendGroup: BenchGroup = {
  name: 'append',
  async run(context) {
    const database = await createTestDatabase([runLogMigrations]);
    const pool = createPool(database.url, { applicationName: 'bench', maxConnections: CONNECTIONS });
    const emmettPool = new pg.Pool({ connectionString: database.url, max: CONNECTIONS });
    const [emmett, store] = await emmettStore(database.url, emmettPool);
    try {
      const ours = palimpsestLog(new PostgresEventLog(pool));
      return await measure({ ours, raw: await rawInsert(pool), emmett }, context);
    } finally {
      await store.close();
      await Promise.all([pool.end(), emmettPool.ended ? undefined : emmettPool.end()]);
      await database.drop();
    }
  },
};

async function measure({ ours, raw, emmett }: Field, context: BenchContext): Promise<Row[]> {
  const forMs = context.quick ? 300 : 1000;
  const compare = (load: Omit<Load, 'forMs'>, baselines: readonly [Contender, string][]) =>
    compared(ours, baselines, { load: { ...load, forMs }, context });
  return [
    ...(await compare({ writers: 1, eventsPerAppend: 1 }, [
      [raw, ''],
      [emmett, ''],
    ])),
    ...(await compare({ writers: 16, eventsPerAppend: 1 }, [
      [raw, ''],
      [emmett, 'ratio ≥ 4'],
    ])),
    ...(await compare({ writers: 1, eventsPerAppend: 100 }, [[raw, 'ratio ≥ 0.7']])),
  ];
}

async function compared(
  ours: Contender,
  baselines: readonly [Contender, string][],
  { load, context }: { readonly load: Load; readonly context: BenchContext },
): Promise<Row[]> {
  const name = `${load.writers} writer${load.writers > 1 ? 's' : ''}, ${load.eventsPerAppend} a time`;
  const rates = new Map<Contender, number[]>();
  for (let round = 0; round <= (context.quick ? 3 : 5); round += 1) {
    context.progress(`append: ${name}, round ${round}`);
    for (const contender of [ours, ...baselines.map(([baseline]) => baseline)]) {
      const rate = await throughput(contender, round === 0 ? { ...load, forMs: 200 } : load);
      // Round 0 warms everybody up.
      if (round > 0) rates.set(contender, [...(rates.get(contender) ?? []), rate]);
    }
  }
  const own = rates.get(ours) ?? [];
  return baselines.map(([baseline, target]) => ({
    group: 'append',
    case: name,
    value: median(own),
    unit: 'events/s',
    ratio: medianRatio(own, rates.get(baseline) ?? []),
    baseline: `${baseline.name} (${median(rates.get(baseline) ?? []).toFixed(0)})`,
    ...(target && { target }),
  }));
}
