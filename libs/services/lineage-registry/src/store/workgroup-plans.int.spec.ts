import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import pg from 'pg';
import { opened, registered, renewed } from '../testing/sample-events.js';
import { lineageRegistryMigrations } from './migrations.js';
import { PostgresWorkgroupStore } from './postgres-workgroup-store.js';

type Value = string | number | null | undefined | readonly string[];
type Sent = { readonly text: string; readonly values: readonly Value[] };

const key = { tenantId: 't', workgroupId: 'w1' };
const change = {
  ...key,
  commandId: 'c',
  lineageIds: ['l1', 'l20'],
  rollout: { environment: 'e', family: 'f' },
};
const BEHIND_LOCK = ['commands_pkey', 'lineages_live', 'lineages_pkey', 'rollouts_pkey', 'workgroups_pkey'];

/** Operations, with the indexes that have what each reads. */
const OPERATIONS: readonly (readonly [
  string,
  (store: PostgresWorkgroupStore) => Promise<unknown>,
  string[],
])[] = [
  ['looks', (store) => store.decide(change, () => ({ events: [], answer: {} })), [...BEHIND_LOCK]],
  [
    'reads a workgroup',
    (store) => store.read('t', 'w1', 5),
    ['lineages_evicted', 'lineages_live', 'workgroups_pkey'],
  ],
  ['finds a lineage', (store) => store.lineage('t', 'l1'), ['lineages_pkey']],
  ['reads events', (store) => store.events({ ...key, after: 5, limit: 5 }), ['events_pkey']],
  [
    'reads the last events of a lineage',
    (store) => store.lastEvents({ ...key, lineageId: 'l1', type: 'palimpsest.lineage.refused', limit: 5 }),
    ['events_of_lineage'],
  ],
  [
    'reads events of a type',
    (store) => store.events({ ...key, after: 5, limit: 5, types: ['palimpsest.delegation.recorded'] }),
    ['events_of_type'],
  ],
  ['finds a delegation', (store) => store.delegation('t', 'w1', 'd'), ['events_of_delegation']],
  ['finds a capsule', (store) => store.capsule('t', 'w1', 'h'), ['capsules_pkey']],
  ['looks for what is over', (store) => store.withExpired(5), ['lineages_lease']],
  ['forgets commands', (store) => store.forgetCommands(), ['commands_oldest']],
];

/** A plan is made once and kept: on empty tables, or when the server has counted what is in them. */
describe('plans of workgroups', () => {
  let database: TestDatabase;
  let store: PostgresWorkgroupStore;
  let sent: Sent[];
  beforeAll(async () => {
    database = await createTestDatabase([lineageRegistryMigrations], { maxConnections: 1 });
    store = new PostgresWorkgroupStore(database.pool);
    const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
    jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const [first, values] = given as [string | Partial<Sent>, unknown];
      const statement = typeof first === 'string' ? { text: first } : first;
      const isOurs =
        /lineage_registry\./.test(statement.text ?? '') && !/^(EXPLAIN|PREPARE)/.test(statement.text ?? '');
      const bound = statement.values ?? (Array.isArray(values) ? (values as Value[]) : []);
      if (isOurs) sent.push({ text: statement.text ?? '', values: bound });
      return query.apply(this, given);
    });
  });
  beforeEach(() => {
    sent = [];
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await database.drop();
  });

  /** Indexes that all statements of an operation read; a scan of a whole table is named as such. */
  async function indexesRead(work: Promise<unknown>): Promise<readonly string[]> {
    await work;
    const plans: string[] = [];
    for (const { text, values } of [...sent]) {
      await database.pool.query(`PREPARE planned AS ${text}`);
      const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
      const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(
        `EXPLAIN EXECUTE planned ${given}`,
      );
      await database.pool.query('DEALLOCATE planned');
      plans.push(...rows.map((row) => row['QUERY PLAN']));
    }
    const scans = plans.flatMap(
      (line) => /(Seq Scan on \w+|(?<=\bScan.* using |Bitmap Index Scan on )\w+)/.exec(line)?.[1] ?? [],
    );
    return [...new Set(scans)].sort();
  }

  it.each(OPERATIONS)('of empty tables look up what it needs: %s', async (_, operation, indexes) => {
    expect(await indexesRead(operation(store))).toEqual(indexes);
  });

  describe('when the server has counted', () => {
    beforeAll(async () => {
      sent = [];
      await store.decide(key, () => ({ events: [opened, registered('l1', 1)], answer: {} }));
      await database.pool.query(`
        INSERT INTO lineage_registry.lineages
        SELECT 't', 'l' || i, 'w' || i % 20, 'evicted', NULL, i, i, now(), '{}' FROM generate_series(100, 4000) i;
        INSERT INTO lineage_registry.events
        SELECT now(), i, 't', 'workgroup/w1', 'x', 'l' || i % 100, '{}' FROM generate_series(10, 3000) i;
        INSERT INTO lineage_registry.commands
        SELECT 't', 'workgroup/w1', 'c' || i, '{}', now() FROM generate_series(1, 2000) i;
        ANALYZE lineage_registry.lineages, lineage_registry.events, lineage_registry.commands`);
    });

    it.each(OPERATIONS)('look up what it needs: %s', async (_, operation, indexes) => {
      expect(await indexesRead(operation(store))).toEqual(indexes);
    });

    it('write by keys', async () => {
      const decide = () => ({ events: [renewed('l1', 1), registered('l2', 2)], answer: {} });
      const indexes = await indexesRead(store.decide({ ...key, workgroupId: 'w7', commandId: 'd' }, decide));
      expect(indexes).toEqual(BEHIND_LOCK.filter((index) => index !== 'rollouts_pkey'));
    });
  });
});

function literal(value: Value): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'object') return `ARRAY[${value.map(literal).join(', ')}]::text[]`;
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
