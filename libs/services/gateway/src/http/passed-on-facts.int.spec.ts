import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { Registry } from '../ports.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { LINEAGE_RECORD, WORKGROUP_REQUESTS, type WorkgroupPost } from '../testing/workgroup-requests.js';

/** Content that nobody asked for, and that no mark of private values finds. */
const FREE = 'quiet-otter-5140';
const TEXT = `${FREE} ${'and so on. '.repeat(100)}`;
const NOTE = { note: TEXT, notes: [{ deep: [TEXT] }], [FREE]: 1 };

const routing = {
  ...NOTE,
  trivial: TEXT,
  coupling: TEXT,
  capsule_sufficient: TEXT,
  lineage: { ...NOTE, compatible: true, owned_files: ['src/a'] },
  inheritance: { ...NOTE, affinity: 'high', safe: true, recent_supported: TEXT },
  team: { ...NOTE, peers: 2, scopes: [{ ...NOTE, is_writer: true, owned_files: ['src/b'] }] },
  active_writers: [{ ...NOTE, owned_files: ['src/c'] }, TEXT],
};
const KNOWN_ROUTING = {
  trivial: true,
  coupling: '',
  capsule_sufficient: 0,
  lineage: { compatible: true, owned_files: ['src/a'] },
  inheritance: { affinity: 'high', safe: true, recent_supported: true },
  team: { peers: 2, scopes: [{ is_writer: true, owned_files: ['src/b'] }] },
  active_writers: [{ owned_files: ['src/c'] }, ''],
};
const current = { ...NOTE, platform: 'claude', effort: null, model: NOTE, independent_reviewer: TEXT };
const KNOWN_CURRENT = { platform: 'claude', effort: null, model: {}, independent_reviewer: true };
const policy = { ...NOTE, material: true, partial: TEXT, requested_mode: 'durable' };
const KNOWN_POLICY = { material: true, partial: 0, requested_mode: 'durable' };

type Case = readonly [name: WorkgroupPost, asks: keyof Registry, more: object, told: object];

describe('what of open facts the registry is asked with', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });
  beforeEach(() => gateway.registry.reset());

  const send = (name: WorkgroupPost, more: object): Promise<Answer> => {
    const { url, json } = WORKGROUP_REQUESTS[name];
    return gateway.ask({ method: 'POST', url, json: { ...json, ...more } });
  };

  it.each<Case>([
    [
      'delegate',
      'delegate',
      { routing, current, resultPolicy: policy },
      { routing: KNOWN_ROUTING, current: KNOWN_CURRENT, resultPolicy: KNOWN_POLICY },
    ],
    [
      'delegate',
      'delegate',
      { routing: { input: routing, ...NOTE }, current, resultPolicy: { input: policy, ...NOTE } },
      { routing: { input: KNOWN_ROUTING }, current: KNOWN_CURRENT, resultPolicy: { input: KNOWN_POLICY } },
    ],
    ['delegate', 'delegate', { routing: { input: TEXT } }, { routing: { input: '' } }],
    [
      'resumeLineage',
      'resume',
      { current, record: { ...LINEAGE_RECORD, ...NOTE, model: NOTE } },
      { current: KNOWN_CURRENT, record: { ...LINEAGE_RECORD, model: {} } },
    ],
    ['inheritLineage', 'inherit', { current }, { current: KNOWN_CURRENT }],
    ['recordResult', 'recordResult', { policy }, { policy: KNOWN_POLICY }],
    ['recordResult', 'recordResult', { policy: { ...policy, input: policy } }, { policy: KNOWN_POLICY }],
  ])('are the contract’s names: %s', async (name, asks, more, told) => {
    expect([200, 201]).toContain((await send(name, more)).status);
    const [asked] = gateway.registry.askedOf(asks);
    const { tenantId: _tenant, commandId: _command, ...body } = asked as Record<string, unknown>;
    for (const [field, value] of Object.entries(told)) expect([field, body[field]]).toEqual([field, value]);
    expect(JSON.stringify(gateway.registry.asked)).not.toContain(FREE);
  });

  it.each<[WorkgroupPost, object, string]>([
    ['registerLineage', NOTE, 'record'],
    ['registerLineage', { constructor: 1 }, 'record'],
    ['registerLineage', { scope: NOTE }, 'record.scope'],
    ['registerLineage', { scope: [TEXT] }, 'record.scope'],
    ['inheritLineage', NOTE, 'record'],
    ['inheritLineage', { role: NOTE }, 'record.role'],
  ])('are no record with anything else in it: %s', async (name, more, field) => {
    const answer = await send(name, { record: { ...LINEAGE_RECORD, ...more } });
    expect([answer.status, answer.body['error'], answer.body['details']]).toEqual([
      400,
      'validation_error',
      { field, rule: 'custom' },
    ]);
    expect(answer.text).not.toContain(FREE);
    expect(gateway.registry.asked).toEqual([]);
  });

  it('are a whole record, and one that leaves out what is the registry’s', async () => {
    const times = { created_at: '2031-03-10T12:00:00Z', lease_expires_at: null };
    for (const record of [LINEAGE_RECORD, { ...LINEAGE_RECORD, ...times, schema: 's' }, {}]) {
      expect((await send('registerLineage', { record })).status).toBe(201);
    }
    const asked = gateway.registry.askedOf('register') as readonly { readonly record: object }[];
    expect(asked.map(({ record }) => record)).toEqual([
      LINEAGE_RECORD,
      { ...LINEAGE_RECORD, ...times, schema: 's' },
      {},
    ]);
  });
});
