import { createPool } from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import fc from 'fast-check';
import type { Decide } from '../domain/workgroup/deciding.js';
import { decideCoordinate } from '../domain/workgroup/coordinate.js';
import { decideEvict } from '../domain/workgroup/evict.js';
import { sweep } from '../domain/workgroup/expire-leases.js';
import { decideRelease, decideRenew } from '../domain/workgroup/hold-lineage.js';
import { decideInherit } from '../domain/workgroup/inherit.js';
import { decideReconcile } from '../domain/workgroup/reconcile.js';
import { decideRecordResult } from '../domain/workgroup/record-result.js';
import { decideAcceptKnowledge } from '../domain/sharing/knowledge.js';
import { decideRegister } from '../domain/workgroup/register.js';
import { decideResume } from '../domain/workgroup/resume.js';
import type { Workgroup } from '../domain/workgroup/workgroup.js';
import { expectSoundWorkgroup } from '../testing/expect-sound-workgroup.js';
import {
  currentFacts,
  digest,
  inheritCommand,
  registerCommand,
  resumeCommand,
  WORKGROUP,
} from '../testing/lineage-records.js';
import { RacingClients } from '../testing/racing-clients.js';
import { lineageRegistryMigrations } from './migrations.js';

const CLIENTS = 64;
const OFF_BY_MS = 600_000;

let database: TestDatabase;
let clients: RacingClients;
beforeAll(async () => {
  database = await createTestDatabase([lineageRegistryMigrations], { maxConnections: 20 });
});
beforeEach(() => {
  clients = new RacingClients(database.pool, `tenant-${globalThis.crypto.randomUUID()}`);
});
afterAll(() => database.drop());

const times = (count: number, code: string) => Array<string>(count).fill(code);

describe('64 clients of 16 instances at once', () => {
  it('open a workgroup once and take its seat once', async () => {
    const { answers, codes } = await clients.race(CLIENTS, (client) => clients.coordinate(WORKGROUP, client));
    expect(answers).toMatchObject([{ coordinator: { fence: 1 } }]);
    expect(codes).toEqual(times(CLIENTS - 1, 'seat_taken'));
    expect((await clients.events()).map(({ type }) => type)).toEqual([
      'palimpsest.workgroup.opened',
      'palimpsest.workgroup.seat_taken',
    ]);
  });

  it('get one writer for each area where scopes lie in each other', async () => {
    await clients.coordinate();
    const areas = 8;
    const { answers, codes } = await clients.race(CLIENTS, (client) => {
      const path = ['src', `area-${client % areas}`, ...times(Math.floor(client / areas), 'in')].join('/');
      return clients.register(`lineage-${client}`, { ownedFiles: [path], isWriter: true }, client);
    });
    const holders = answers.map(({ lineage }) => lineage.ownedPaths.join().split('/')[1]).sort();
    expect(holders).toEqual(Array.from({ length: areas }, (_, area) => `area-${area}`));
    expect(codes).toEqual(times(CLIENTS - areas, 'writer_scope_conflict'));
    const held = [...expectSoundWorkgroup(WORKGROUP, await clients.events()).lineages.keys()];
    expect(held.sort()).toEqual(answers.map(({ lineage }) => lineage.lineageId).sort());
    expect(new Set(answers.map(({ fence }) => fence)).size).toBe(areas);
  });

  it('get one lineage resumed by one of them', async () => {
    await clients.coordinate();
    await clients.idle('one');
    const { answers, codes } = await clients.race(CLIENTS, (client) =>
      clients.ask(client, decideResume, resumeCommand('one'), { lineageIds: ['one'] }),
    );
    expect(answers).toMatchObject([{ fence: 3, lineage: { status: 'held' } }]);
    expect(codes).toEqual(times(CLIENTS - 1, 'lineage_held'));
    const types = (await clients.events()).map(({ type }) => type.split('.').at(-1));
    expect(types.filter((type) => type === 'resumed')).toHaveLength(1);
    // All of them heard the same: it is recorded once.
    expect(types.filter((type) => type === 'refused')).toHaveLength(1);
  });

  it('get two writers with context taken over, by resuming and by inheriting', async () => {
    await clients.coordinate();
    const writers = 8;
    for (let place = 0; place < writers; place++)
      await clients.idle(`writer-${place}`, { ownedFiles: [`src/${place}`] });
    await clients.idle('parent');
    const { answers, codes } = await clients.race(CLIENTS, (client) => {
      const lineageId = `writer-${client % writers}`;
      if (client % 2) return clients.ask(client, decideResume, resumeCommand(lineageId));
      const command = inheritCommand('parent', `child-${client}`, { ownedFiles: [`child/${client}`] });
      return clients.ask(client, decideInherit, command, { lineageIds: ['parent', `child-${client}`] });
    });
    expect(answers).toHaveLength(2);
    const expected = new Set(['inherited_writer_limit', 'lineage_held']);
    expect(codes.filter((code) => !expected.has(code))).toEqual([]);
    expect(codes.length).toBe(CLIENTS - 2);
    expectSoundWorkgroup(WORKGROUP, await clients.events());
  });

  it('get one decision and one answer for one command id', async () => {
    await clients.coordinate();
    const { answers, codes } = await clients.race(CLIENTS, (client) =>
      clients.ask(client, decideRegister, registerCommand('one'), { lineageIds: ['one'], commandId: 'same' }),
    );
    expect(codes).toEqual([]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await clients.events()).toHaveLength(3);
  });
});

describe('stale fences', () => {
  /** Every write under a lineage names its fence. */
  const WRITES = [
    decideRenew,
    decideRecordResult,
    decideRelease,
    decideReconcile(true),
    decideAcceptKnowledge,
  ];

  function write(client: number, fence: number): Promise<object> {
    const command = {
      ...{ tenantId: clients.tenantId, workgroupId: WORKGROUP, lineageId: 'one', fence },
      ...{ taskId: 'task', policy: {}, capsuleHash: digest('2') },
      ...{ artifactId: 'artifact', deltaHash: 'd'.repeat(64), action: 'batch' as const },
    };
    const decide = WRITES[client % WRITES.length] as Decide<typeof command, object>;
    return clients.ask(client, decide, command, { lineageIds: ['one'] });
  }

  it('are refused at every write while the lineage is released and resumed', async () => {
    await clients.coordinate();
    let fence = (await clients.register('one')).fence;
    const resume = async (client: number) => {
      const granted = await clients.ask(client, decideResume, resumeCommand('one'), { lineageIds: ['one'] });
      fence = granted.fence;
      return granted;
    };
    const { codes } = await clients.race(CLIENTS, async (client): Promise<object> => {
      return client % 4 === 0 ? resume(client) : write(client, fence);
    });
    expect(codes.filter((code) => code !== 'stale_fence' && code !== 'lineage_held')).toEqual([]);
    const events = await clients.events();
    const { lineages } = expectSoundWorkgroup(WORKGROUP, events);
    if (lineages.get('one')?.status === 'idle') await resume(0);

    const { length } = await clients.events();
    const stale = Array.from({ length: fence - 1 }, (_, place) => place + 1);
    expect(stale).toContain(2);
    for (const old of [...stale.slice(-4), fence + 1]) {
      const refused = await clients.race(WRITES.length, (client) => write(client, old));
      expect(refused).toEqual({ answers: [], codes: times(WRITES.length, 'stale_fence') });
    }
    expect(await clients.events()).toHaveLength(length);
  });
});

describe('clocks of processes', () => {
  const realNow = Date.now;
  afterEach(() => {
    Date.now = realNow;
  });

  async function databaseNow(): Promise<number> {
    const sql = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms';
    const { rows } = await database.pool.query<{ ms: number }>(sql);
    return rows[0]?.ms ?? NaN;
  }

  it.each([OFF_BY_MS, -OFF_BY_MS])('change nothing where they are off by %d ms', async (offBy) => {
    Date.now = () => realNow() + offBy;
    const from = await databaseNow();
    await clients.coordinate();
    const { fence, expiresAt } = await clients.register('one', { leaseMs: 60_000 });
    await clients.register('two', { leaseMs: 60_000 });
    const end = Date.parse(expiresAt);
    expect(end).toBeGreaterThanOrEqual(from + 60_000);
    expect(end).toBeLessThanOrEqual((await databaseNow()) + 60_000);
    const { tenantId } = clients;
    const store = clients.storeOf(1);
    expect(await store.withExpired(99)).not.toContainEqual({ tenantId, workgroupId: WORKGROUP });

    const renewal = { tenantId, lineageId: 'one', fence, leaseMs: 60_000 };
    const renewed = await clients.ask(1, decideRenew, renewal);
    expect(Date.parse(renewed.expiresAt)).toBeGreaterThanOrEqual(end);
    await expect(clients.coordinate(WORKGROUP, 2)).rejects.toMatchObject({ code: 'seat_taken' });

    await setBack(tenantId, 'two');
    expect(await store.withExpired(99)).toContainEqual({ tenantId, workgroupId: WORKGROUP });
    const swept = await store.decide({ tenantId, workgroupId: WORKGROUP }, (workgroup, { now }) =>
      sweep(workgroup, now),
    );
    expect(swept).toEqual({ evicted: 1 });
    for (const { recordedAt } of await clients.events()) {
      expect(Date.parse(recordedAt)).toBeGreaterThanOrEqual(from);
      expect(Date.parse(recordedAt)).toBeLessThanOrEqual(await databaseNow());
    }
  });
});

/** As if a lease had been over for a second. */
async function setBack(tenantId: string, lineageId: string): Promise<void> {
  await database.pool.query(
    `UPDATE lineage_registry.lineages SET lease_expires_at = clock_timestamp() - interval '1 second'
    WHERE tenant_id = $1 AND lineage_id = $2 AND status <> 'evicted'`,
    [tenantId, lineageId],
  );
}

const ACTS = [
  'register',
  'resume',
  'inherit',
  'renew',
  'release',
  'result',
  'evict',
  'expire',
  'sweep',
  'coordinate',
] as const;
const WORKGROUPS = ['wg-1', 'wg-2', 'wg-3'];

type Act = {
  readonly act: (typeof ACTS)[number];
  readonly workgroup: number;
  readonly lineage: number;
  readonly path: number;
  readonly isStale: boolean;
};

const anAct: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom(...ACTS, 'register', 'resume', 'release'),
  workgroup: fc.nat({ max: 2 }),
  lineage: fc.nat({ max: 5 }),
  path: fc.nat({ max: 3 }),
  isStale: fc.boolean(),
});

/** What may be refused, and nothing else: a deadlock would be `service_unavailable`. */
const REFUSALS = new Set([
  'lineage_exists',
  'lineage_held',
  'lineage_evicted',
  'writer_scope_conflict',
  'inherited_writer_limit',
  'nesting_limit',
  'stale_fence',
  'not_found',
  'seat_taken',
]);

describe('any mix of commands on three workgroups', () => {
  /** Fences as clients know them, by lineage. */
  let fences: Map<string, number>;

  /** What each act does with the workgroup, lineage and path that it is about. */
  function actsOn(client: number, on: Act): Readonly<Record<Act['act'], () => Promise<object>>> {
    const { tenantId } = clients;
    const workgroupId = WORKGROUPS[on.workgroup] ?? WORKGROUP;
    const lineageId = `${workgroupId}-${on.lineage}`;
    const childId = `${lineageId}-${on.path}`;
    // Every third id is one of another workgroup's.
    const newId = on.lineage % 3 === 2 ? `wg-1-${on.lineage}` : lineageId;
    const asked = { workgroupId, lineageIds: [lineageId, childId] };
    const ownedFiles = [['src'], ['src/a'], ['src/b', 'docs'], ['lib']][on.path] ?? [];
    const fence = Math.max(1, (fences.get(lineageId) ?? 1) - (on.isStale ? 1 : 0));
    const key = { tenantId, lineageId, fence };
    const current = currentFacts({ workgroup_id: workgroupId });
    const change = { tenantId, workgroupId };
    const resume = () => clients.ask(client, decideResume, resumeCommand(lineageId, { current }), asked);
    const child = inheritCommand(lineageId, childId, { current, ownedFiles });
    const result = { ...key, taskId: 'task', policy: {} };
    return {
      register: async () =>
        knowing(newId, await clients.register(newId, { workgroupId, ownedFiles }, client)),
      resume: async () => knowing(lineageId, await resume()),
      inherit: () => clients.ask(client, decideInherit, child, asked),
      renew: () => clients.ask(client, decideRenew, key, asked),
      release: () => clients.ask(client, decideRelease, key, asked),
      result: () => clients.ask(client, decideRecordResult, result, asked),
      evict: () => clients.ask(client, decideEvict, { ...key, reason: 'INCOMPATIBLE' }, asked),
      expire: () => setBack(tenantId, lineageId).then(() => ({})),
      sweep: () => clients.storeOf(client).decide(change, (workgroup, { now }) => sweep(workgroup, now)),
      coordinate: () => clients.ask(client, decideCoordinate, { ...change, takeOver: on.isStale }, asked),
    };
  }

  function knowing<Grant extends { readonly fence: number }>(lineageId: string, grant: Grant): Grant {
    fences.set(lineageId, grant.fence);
    return grant;
  }

  it('leaves each of them sound, its rows as its events say, and no deadlock', async () => {
    const acts = fc.array(fc.array(anAct, { minLength: 6, maxLength: 6 }), { minLength: 16, maxLength: 16 });
    const property = fc.asyncProperty(acts, async (mix) => {
      clients = new RacingClients(database.pool, `tenant-${globalThis.crypto.randomUUID()}`);
      fences = new Map();
      for (const workgroupId of WORKGROUPS) await clients.coordinate(workgroupId);
      const refused: string[] = [];
      await clients.race(mix.length, async (client) => {
        for (const act of mix[client] ?? [])
          await actsOn(client, act)
            [act.act]()
            .catch((error: unknown) => refused.push(codeOf(error)));
      });
      expect(refused.filter((code) => !REFUSALS.has(code))).toEqual([]);
      for (const workgroupId of WORKGROUPS) {
        const folded = expectSoundWorkgroup(workgroupId, await clients.events(workgroupId));
        const read = await clients.storeOf(0).read(clients.tenantId, workgroupId, 500);
        expect(read && withoutLeases(read.workgroup)).toEqual(withoutLeases(folded));
      }
    });
    await fc.assert(property, { numRuns: 2, endOnFailure: true });
    expect(await deadlocks()).toBe(0);
  });

  /** Of this database since it was made. Backends tell what they counted when they end. */
  async function deadlocks(): Promise<number> {
    await database.pool.end();
    const pool = createPool(database.url, { applicationName: 'spec', maxConnections: 1 });
    const sql = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    const { rows } = await pool.query<{ deadlocks: number }>(sql);
    await pool.end();
    return rows[0]?.deadlocks ?? NaN;
  }
});

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code ?? error);
}

/** Leases were set back in the rows, of which the events know nothing. */
function withoutLeases(workgroup: Workgroup) {
  const lineages = [...workgroup.lineages.values()].map(({ record, ...lineage }) => ({
    ...lineage,
    record: { ...record, lease_expires_at: null },
  }));
  return { ...workgroup, lineages: new Map(lineages.map((lineage) => [lineage.lineageId, lineage])) };
}
