import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { ERROR_STATUS } from '@palimpsest/contracts';
import { NotFoundError, TerminalError } from '@palimpsest/kernel';
import type { Scope } from '../domain/api-key.js';
import type { Registry } from '../ports.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type GatewayHarness } from '../testing/gateway-harness.js';
import { LINEAGE_RECORD, WORKGROUP_REQUESTS, type WorkgroupPost } from '../testing/workgroup-requests.js';
import { DELEGATION_OPERATIONS } from './delegation-operations.js';
import { LINEAGE_OPERATIONS } from './lineage-operations.js';
import type { Operation } from './operations.js';
import { WORKGROUP_OPERATIONS } from './workgroup-operations.js';

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...WORKGROUP_OPERATIONS,
  ...LINEAGE_OPERATIONS,
  ...DELEGATION_OPERATIONS,
};
const POSTS = Object.keys(WORKGROUP_REQUESTS) as WorkgroupPost[];

/** What the registry is asked by each, beside the content of knowledge. */
const METHODS: Readonly<Record<Exclude<WorkgroupPost, 'acceptKnowledge'>, keyof Registry>> = {
  coordinateWorkgroup: 'coordinate',
  advanceWorkgroup: 'advancePhase',
  approveInWorkgroup: 'approve',
  registerLineage: 'register',
  resumeLineage: 'resume',
  inheritLineage: 'inherit',
  renewLineage: 'renew',
  reconcileLineage: 'reconcile',
  releaseLineage: 'release',
  evictLineage: 'evict',
  recordResult: 'recordResult',
  delegate: 'delegate',
  reportMcpHealth: 'reportMcpHealth',
  flushKnowledge: 'flushKnowledge',
  planLoading: 'planLoading',
};
const PLAIN = Object.entries(METHODS) as [keyof typeof METHODS, keyof Registry][];

const workgroup = { tenantId: 'acme', workgroupId: 'wg.1' };
const lineage = { tenantId: 'acme', lineageId: 'l.1' };
const idOf = (url: string): object => (url.startsWith('/v1/lineages') ? lineage : workgroup);

describe('workgroups and lineages over HTTP', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
  });
  beforeEach(() => gateway.registry.reset());
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const get = (url: string) => gateway.ask({ method: 'GET', url });
  const post = (url: string, json: unknown, headers = {}) =>
    gateway.ask({ method: 'POST', url, json, headers });

  describe.each(PLAIN)('%s', (name, method) => {
    const { url, json } = WORKGROUP_REQUESTS[name];
    const operation = OPERATIONS[name] as Operation;

    it('asks the registry for what the path and the body say', async () => {
      const answer = await post(url, json);
      expect([answer.status, answer.body]).toEqual([operation.status, expect.any(Object)]);
      operation.response.parse(answer.body);
      expect(gateway.registry.asked).toEqual([{ name: method, body: { ...idOf(url), ...json } }]);
    });

    it('has one command id for one idempotency key', async () => {
      const headers = { 'idempotency-key': `once-${name}` };
      const first = await post(url, json, headers);
      expect(first.status).toBe(operation.status);
      expect(await post(url, json, headers)).toMatchObject({ status: operation.status, body: first.body });
      const asked = { ...idOf(url), ...json };
      const keyed = { ...asked, commandId: expect.stringMatching(/^cmd_/) as string };
      // What keeps nothing has no key: it is asked again.
      expect(gateway.registry.askedOf(method)).toEqual(operation.keepsNothing ? [asked, asked] : [keyed]);
    });

    it.each(operation.errors)('passes %s on', async (code) => {
      gateway.registry.answer(method, () => {
        throw new TerminalError(code, 'A refusal.', { details: { fence: 7 } });
      });
      const answer = await post(url, json);
      expect(answer).toMatchObject({
        status: ERROR_STATUS[code],
        body: { error: code, details: { fence: 7 } },
      });
    });

    it('takes no body of another shape', async () => {
      for (const wrong of [[], 'x', 1, null, { ...json, surprise: 1 }, { ...json, tenantId: 'rival' }]) {
        expect(await post(url, wrong)).toMatchObject({ status: 400, body: { error: 'validation_error' } });
      }
      for (const text of ['\u0000', '\ud800']) {
        const unstorable = { ...json, ...Object.fromEntries(Object.keys(json).map((key) => [key, text])) };
        expect(await post(url, unstorable)).toMatchObject({ status: 400 });
        expect(await post(url, { [`a${text}`]: 1 })).toMatchObject({ status: 400 });
      }
      expect(gateway.registry.asked).toEqual([]);
    });
  });

  it('takes no facts that cannot be stored', async () => {
    const { url, json } = WORKGROUP_REQUESTS.registerLineage;
    for (const record of [
      { ...LINEAGE_RECORD, scope: 'a\u0000' },
      { ...LINEAGE_RECORD, 'a\ud800': 1 },
    ]) {
      const answer = await post(url, { ...json, record });
      expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } });
    }
    expect(gateway.registry.asked).toEqual([]);
  });

  it('opens a workgroup without a body, and plans loading without one', async () => {
    for (const action of [':coordinate', '/loading-plan']) {
      expect(await gateway.ask({ method: 'POST', url: `/v1/workgroups/wg.1${action}` })).toMatchObject({
        status: 200,
      });
    }
    expect(gateway.registry.asked.map(({ body }) => body)).toEqual([workgroup, workgroup]);
  });

  it.each<[string, keyof Registry, object]>([
    ['/v1/workgroups/wg.1', 'readWorkgroup', workgroup],
    ['/v1/workgroups/wg.1/events', 'workgroupEvents', { ...workgroup, after: -1, limit: 100 }],
    ['/v1/workgroups/wg.1/events?after=-1&limit=1', 'workgroupEvents', { ...workgroup, after: -1, limit: 1 }],
    [
      '/v1/workgroups/wg.1/events?after=0&limit=500',
      'workgroupEvents',
      { ...workgroup, after: 0, limit: 500 },
    ],
    ['/v1/workgroups/wg.1/lineages', 'listLineages', workgroup],
    ['/v1/workgroups/wg.1/lineages?evicted=true', 'listLineages', { ...workgroup, evicted: true }],
    ['/v1/workgroups/wg.1/lineages?evicted=false', 'listLineages', { ...workgroup, evicted: false }],
    ['/v1/workgroups/wg.1/lineages?after=l.1', 'listLineages', { ...workgroup, after: 'l.1' }],
    [
      '/v1/workgroups/wg.1/lineages?evicted=true&after=l-2',
      'listLineages',
      { ...workgroup, evicted: true, after: 'l-2' },
    ],
    ['/v1/workgroups/wg.1/owned-paths', 'ownedPaths', workgroup],
    ['/v1/workgroups/wg.1/owned-paths?after=src%2Fa%20b', 'ownedPaths', { ...workgroup, after: 'src/a b' }],
    [
      `/v1/workgroups/wg.1/owned-paths?after=${'%E2%82%AC'.repeat(1024)}`,
      'ownedPaths',
      { ...workgroup, after: '\u{20ac}'.repeat(1024) },
    ],
    [
      '/v1/workgroups/wg.1/events?after=2147483647',
      'workgroupEvents',
      { ...workgroup, after: 2_147_483_647, limit: 100 },
    ],
    ['/v1/workgroups/wg.1/delegations?after=4', 'listDelegations', { ...workgroup, after: 4, limit: 100 }],
    ['/v1/workgroups/wg.1/mcp-health?server=a.b', 'mcpHealth', { ...workgroup, server: 'a.b' }],
    [
      '/v1/workgroups/wg.1/mcp-health?server=s&ttlMinutes=0',
      'mcpHealth',
      { ...workgroup, server: 's', ttlMinutes: 0 },
    ],
    [
      '/v1/workgroups/wg.1/mcp-health?server=s&ttlMinutes=0.5',
      'mcpHealth',
      { ...workgroup, server: 's', ttlMinutes: 0.5 },
    ],
    [
      '/v1/workgroups/wg.1/mcp-health?server=s&ttlMinutes=1440',
      'mcpHealth',
      { ...workgroup, server: 's', ttlMinutes: 1440 },
    ],
    ['/v1/lineages/l.1', 'readLineage', lineage],
    ['/v1/lineages/l%2E1', 'readLineage', lineage],
  ])('GET %s asks %s', async (url, name, body) => {
    const answer = await get(url);
    expect(answer.status).toBe(200);
    expect(gateway.registry.asked).toEqual([{ name, body }]);
    expect(await gateway.ask({ method: 'HEAD', url })).toMatchObject({ status: 200, text: '' });
  });

  it.each([
    'events?after=-2',
    'events?after=2147483648',
    'events?after=999999999999999',
    'delegations?after=2147483648',
    'events?after=1.5',
    'events?after=',
    'events?after=1e3',
    'events?after=1&after=2',
    'events?limit=0',
    'events?limit=501',
    'events?limit=x',
    'delegations?after=-2',
    'delegations?limit=501',
    'lineages?evicted=1',
    'lineages?evicted=',
    'lineages?after=',
    'lineages?after=.a',
    `lineages?after=${'l'.repeat(129)}`,
    'owned-paths?after=',
    'owned-paths?after=a%00',
    'owned-paths?after=a&after=b',
    `owned-paths?after=${'p'.repeat(1025)}`,
    'mcp-health',
    'mcp-health?server=',
    'mcp-health?server=a/b',
    'mcp-health?server=.a',
    `mcp-health?server=${'s'.repeat(129)}`,
    'mcp-health?server=s&ttlMinutes=-1',
    'mcp-health?server=s&ttlMinutes=1440.1',
    'mcp-health?server=s&ttlMinutes=1441',
    'mcp-health?server=s&ttlMinutes=NaN',
  ])('takes no query %s', async (path) => {
    const answer = await get(`/v1/workgroups/wg.1/${path}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'validation_error', details: { field: expect.stringMatching(/^query\./) as string } },
    });
    expect(gateway.registry.asked).toEqual([]);
  });

  const anyId = [
    ['a', 200],
    ['A.b_c-1', 200],
    ['a..b', 200],
    ['x'.repeat(128), 200],
    ['x'.repeat(129), 404],
    ['-a', 404],
    ['.a', 404],
    ['a%20b', 404],
    ['a%2Fb', 404],
    ['%00', 400],
    ['%C3%A4', 404],
    // An id that looks like a credential is nobody's.
    ['sk-live_0123456789', 404],
  ] as const;
  it.each(anyId)('an id %s is answered %d', async (id, status) => {
    for (const url of [
      `/v1/workgroups/${id}`,
      `/v1/workgroups/${id}/owned-paths`,
      `/v1/workgroups/${id}/lineages`,
      `/v1/lineages/${id}`,
    ]) {
      expect([url, (await get(url)).status]).toEqual([url, status]);
    }
    const renewed = await post(`/v1/lineages/${id}:renew`, { fence: 1 });
    const flushed = await post(`/v1/workgroups/${id}/knowledge-deltas:flush`, { gate: 'g' });
    expect([renewed.status, flushed.status]).toEqual([status, status]);
    expect(gateway.registry.asked).toHaveLength(status === 200 ? 6 : 0);
  });

  it.each([
    ['x'.repeat(128), 200, undefined],
    ['x'.repeat(129), 400, 'validation_error'],
    ['-a', 400, 'validation_error'],
    ['%00', 400, 'validation_error'],
    ['sk-live_0123456789', 422, 'private_content'],
  ])('a workgroup is not opened under any id: %s', async (id, status, error) => {
    const answer = await post(`/v1/workgroups/${id}:coordinate`, {});
    expect([answer.status, answer.body['error']]).toEqual([status, error]);
    expect(gateway.registry.asked).toHaveLength(status === 200 ? 1 : 0);
  });

  it.each([
    '/v1/workgroups',
    '/v1/workgroups/',
    '/v1/workgroups/w:',
    '/v1/workgroups/w:explode',
    '/v1/workgroups/w:coordinate:advance',
    '/v1/workgroups/w:coordinate/lineages',
    '/v1/workgroups/w/lineages/l',
    '/v1/workgroups/w/knowledge-deltas:explode',
    '/v1/lineages',
    '/v1/lineages/l:explode',
    '/v1/lineages/l:resumes',
    '/v1/lineages/l/results:resume',
  ])('knows no %s', async (url) => {
    for (const method of ['GET', 'POST'] as const) {
      expect(await gateway.ask({ method, url, ...(method === 'POST' && { json: {} }) })).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
    }
    expect(gateway.registry.asked).toEqual([]);
  });

  it.each([
    ['/v1/workgroups/w:advance', 'GET', 'POST'],
    ['/v1/workgroups/w', 'POST', 'GET, HEAD'],
    ['/v1/workgroups/w/lineages', 'DELETE', 'GET, HEAD, POST'],
    ['/v1/workgroups/w/mcp-health', 'DELETE', 'GET, HEAD, POST'],
    ['/v1/workgroups/w/knowledge-deltas', 'GET', 'POST'],
    ['/v1/lineages/l', 'DELETE', 'GET, HEAD'],
    ['/v1/lineages/l:inherit', 'GET', 'POST'],
    ['/v1/lineages/l/results', 'GET', 'POST'],
  ] as const)('serves at %s no %s', async (url, method, allow) => {
    expect(await gateway.ask({ method, url })).toMatchObject({ status: 405, headers: { allow } });
  });

  it.each(['/workgroups/w', '/lineages/l:resume'])('asks for the version of %s', async (url) => {
    expect(await gateway.ask({ method: 'GET', url, key: null })).toMatchObject({ status: 400 });
  });

  const scopes: Readonly<Record<string, readonly string[]>> = {
    'workgroups:coordinate': [
      'coordinateWorkgroup',
      'advanceWorkgroup',
      'approveInWorkgroup',
      'evictLineage',
    ],
    'workgroups:read': ['planLoading'],
  };
  it.each(POSTS)('%s asks for one scope, and for no other', async (name) => {
    const { url, json } = WORKGROUP_REQUESTS[name];
    const [wanted = 'workgroups:write'] = Object.keys(scopes).filter((scope) =>
      scopes[scope]?.includes(name),
    );
    const others = ['workgroups:read', 'workgroups:write', 'workgroups:coordinate'].filter(
      (scope) => scope !== wanted,
    );
    const lacking = await gateway.newKey('acme', [...others, 'runs:create'] as Scope[]);
    expect(await gateway.ask({ method: 'POST', url, json, key: lacking })).toMatchObject({
      status: 403,
      body: { details: { scopeRequired: wanted } },
    });
    expect(gateway.registry.asked).toEqual([]);
    const key = await gateway.newKey('acme', [wanted] as Scope[]);
    expect((await gateway.ask({ method: 'POST', url, json, key })).status).toBe(OPERATIONS[name]?.status);
  });

  it('asks under the tenant of the key', async () => {
    const key = await gateway.newKey('rival');
    await gateway.ask({ method: 'GET', url: '/v1/lineages/l.1', key });
    const { url, json } = WORKGROUP_REQUESTS.registerLineage;
    await gateway.ask({ method: 'POST', url, json, key });
    expect(gateway.registry.asked.map(({ body }) => body)).toMatchObject([
      { tenantId: 'rival' },
      { tenantId: 'rival' },
    ]);
  });

  it('answers what is not there with 404', async () => {
    gateway.registry.answer('readLineage', () => {
      throw new NotFoundError('The lineage');
    });
    expect(await get('/v1/lineages/l')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('shows why a resume was refused', async () => {
    const details = { state: 'INVALID', invalidations: ['PHASE_MISMATCH'] };
    gateway.registry.answer('resume', () => {
      throw new TerminalError('resume_refused', 'The lineage cannot be resumed.', { details });
    });
    const { url, json } = WORKGROUP_REQUESTS.resumeLineage;
    const headers = { 'idempotency-key': 'refused' };
    const refused = { status: 409, body: { error: 'resume_refused', details } };
    expect(await post(url, json, headers)).toMatchObject(refused);
    gateway.registry.reset();
    expect(await post(url, json, headers)).toMatchObject({
      ...refused,
      headers: { 'openwop-idempotent-replay': 'true' },
    });
    expect(gateway.registry.asked).toEqual([]);
  });

  it('lets no handle of a platform past', async () => {
    const record = { ...LINEAGE_RECORD, platform_handle: 'session-0123456789abcdef' };
    const { url, json } = WORKGROUP_REQUESTS.registerLineage;
    expect(await post(url, { ...json, record })).toMatchObject({ status: 201 });
    const resume = WORKGROUP_REQUESTS.resumeLineage;
    const nested = {
      ...resume.json,
      record,
      current: { a: [{ platform_handle: { id: 'thread-0123456789' } }] },
    };
    expect(await post(resume.url, nested)).toMatchObject({ status: 200 });
    expect(gateway.registry.asked.map(({ body }) => body)).toMatchObject([
      { record: { ...record, platform_handle: null } },
      { record: { ...record, platform_handle: null }, current: {} },
    ]);
    expect(JSON.stringify(gateway.registry.asked)).not.toMatch(/session-|thread-/);
  });
});
