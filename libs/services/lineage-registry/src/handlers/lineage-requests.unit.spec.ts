import {
  lineageDocumentSchema,
  lineageGrantSchema,
  lineageListSchema,
  lineageViewSchema,
  ownedPathsSchema,
  resultAnswerSchema,
} from '@palimpsest/contracts/registry';
import { PRIVATE_VALUES } from '@palimpsest/context-efficiency/testing';
import { AskedRegistry } from '../testing/asked-registry.js';
import {
  currentFacts,
  delegationView,
  digest,
  inheritCommand,
  NOON,
  recordFacts,
  registerCommand,
  resumeCommand,
  TENANT,
  WORKGROUP,
} from '../testing/lineage-records.js';

const KEY = { tenantId: TENANT, workgroupId: WORKGROUP };
const ONE = { tenantId: TENANT, lineageId: 'one' };

async function opened(): Promise<AskedRegistry> {
  const registry = new AskedRegistry();
  await registry.ask('coordinate', KEY);
  return registry;
}

/** With `one`, held under fence 2. */
async function holding(): Promise<AskedRegistry> {
  const registry = await opened();
  await registry.ask('register', registerCommand('one', { ownedFiles: ['src'] }));
  return registry;
}

it('a lineage is held, renewed, released, resumed, handed on and evicted', async () => {
  const registry = await holding();
  const renewed = await registry.ask('renew', { ...ONE, fence: 2 });
  expect(lineageGrantSchema.parse(renewed)).toMatchObject({ fence: 2, differences: [] });
  const policy = { material: true };
  const result = await registry.ask('recordResult', { ...ONE, fence: 2, taskId: 'task', policy });
  expect(resultAnswerSchema.parse(result)).toMatchObject({ sequence: 4, mode: 'durable' });
  const released = await registry.ask('release', { ...ONE, fence: 2 });
  expect(lineageViewSchema.parse(released)).toMatchObject({ status: 'idle' });
  const resumed = lineageGrantSchema.parse(await registry.ask('resume', resumeCommand('one')));
  expect(resumed).toMatchObject({ fence: 3, lineage: { status: 'held', ownedPaths: ['src'] } });
  const child = lineageGrantSchema.parse(await registry.ask('inherit', inheritCommand('one', 'child')));
  expect(child).toMatchObject({ fence: 4, lineage: { depth: 1, grant: 'inherit-recent' } });
  const evicted = await registry.ask('evict', { ...ONE, reason: 'INCOMPATIBLE' });
  expect(lineageViewSchema.parse(evicted)).toMatchObject({ status: 'evicted', eviction: 'INCOMPATIBLE' });
});

describe('lineages that left', () => {
  it('are known yet, to register, to inherit and to resume', async () => {
    const registry = await holding();
    await registry.ask('evict', { ...ONE, reason: 'INCOMPATIBLE' });
    await registry.ask('register', registerCommand('two'));
    const refusals = [
      await registry.refusal('register', registerCommand('one')),
      await registry.refusal('inherit', inheritCommand('two', 'one')),
      await registry.refusal('resume', resumeCommand('one')),
      await registry.refusal('inherit', inheritCommand('one', 'three')),
      await registry.refusal(
        'register',
        registerCommand('three', { record: recordFacts('three', { parent_lineage_id: 'one' }) }),
      ),
      await registry.refusal('renew', { ...ONE, fence: 2 }),
    ];
    expect(refusals.map((error) => error?.code)).toEqual([
      'lineage_exists',
      'lineage_exists',
      'lineage_evicted',
      'lineage_evicted',
      'lineage_evicted',
      'stale_fence',
    ]);
  });

  it('are listed where they are asked for', async () => {
    const registry = await holding();
    await registry.ask('register', registerCommand('two', { leaseMs: 1000 }));
    await registry.ask('register', registerCommand('three'));
    await registry.ask('evict', { ...ONE, reason: 'INCOMPATIBLE' });
    registry.now += 1000;
    const ids = async (evicted: boolean): Promise<readonly string[]> => {
      const list = lineageListSchema.parse(await registry.ask('listLineages', { ...KEY, evicted }));
      return list.lineages.map(({ lineageId, eviction }) => `${lineageId} ${eviction ?? 'lives'}`);
    };
    expect(await ids(false)).toEqual(['three lives']);
    expect(await ids(true)).toEqual(['one INCOMPATIBLE', 'three lives', 'two LEASE_EXPIRED']);
  });
});

describe('a delegation', () => {
  const { workgroupId: _workgroup, sequence: _sequence, recordedAt: _time, ...payload } = delegationView();
  const recorded = { type: 'palimpsest.delegation.recorded', payload } as const;

  it.each(['register', 'inherit'] as const)('is looked up in the workgroup: %s', async (name) => {
    const registry = await holding();
    const record = recordFacts('two', { role: 'auditor' });
    const command = { delegationId: 'delegation-1', record };
    const body = { register: registerCommand, inherit: inheritCommand.bind(null, 'one') }[name](
      'two',
      command,
    );
    const unknown = { code: 'not_found', details: { delegationId: 'delegation-1' } };
    await registry.ask('coordinate', { ...KEY, workgroupId: 'wg-2' });
    const elsewhere = { tenantId: TENANT, workgroupId: 'wg-2' };
    await registry.store.decide(elsewhere, () => ({ events: [recorded], answer: {} }));
    expect(await registry.refusal(name, body)).toMatchObject(unknown);
    await registry.record(recorded);
    const mismatch = { code: 'delegation_mismatch', details: { delegationId: 'delegation-1' } };
    expect(await registry.refusal(name, body)).toMatchObject(mismatch);
  });
});

it('a reconciliation needs a capsule of the workgroup', async () => {
  const registry = await holding();
  const command = { ...ONE, fence: 2, capsuleHash: digest('9') };
  expect(await registry.refusal('reconcile', command)).toMatchObject({
    code: 'not_found',
    details: { capsuleHash: digest('9') },
  });
  const artifactId = `art_${'a'.repeat(22)}`;
  const capsule = { capsuleHash: digest('9'), artifactId, taskId: 'task', phase: '1A', bytes: 9 } as const;
  await registry.record({ type: 'palimpsest.capsule.recorded', payload: capsule });
  const view = lineageViewSchema.parse(await registry.ask('reconcile', command));
  expect(view.record).toMatchObject({ capsule_hash: digest('9') });
});

it.each(['LEASE_EXPIRED', 'FINAL_GATE', 'BORED'])('nobody has a lineage evicted for %s', async (reason) => {
  const registry = await holding();
  const refusal = await registry.refusal('evict', { ...ONE, reason });
  expect(refusal).toMatchObject({ code: 'validation_error', details: { field: 'reason' } });
  expect(await registry.ask('readLineage', ONE)).toMatchObject({ status: 'held' });
});

describe('why a lineage was refused', () => {
  it('can be read, the newest 20 of it', async () => {
    const registry = await holding();
    // Of equal ones the first counts, until something happens to the lineage.
    for (let count = 0; count < 10; count += 1) {
      await registry.ask('renew', { ...ONE, fence: 2 });
      for (let again = 0; again < 3; again += 1) await registry.refusal('resume', resumeCommand('one'));
      await registry.refusal('inherit', inheritCommand('one', 'two', { current: {} }));
    }
    await registry.ask('release', { ...ONE, fence: 2 });
    const current = currentFacts({ role: 'reviewer' });
    await registry.refusal('resume', resumeCommand('one', { current }));
    const { refusals, ...view } = lineageDocumentSchema.parse(await registry.ask('readLineage', ONE));
    expect(view).toMatchObject({ lineageId: 'one', workgroupId: WORKGROUP, status: 'idle' });
    expect(refusals).toHaveLength(20);
    expect(refusals[0]).toEqual({
      sequence: 5,
      refusedAt: '2031-03-10T12:00:00.000Z',
      code: 'inheritance_refused',
      state: 'INVALID',
      invalidations: ['UNKNOWN_PROVENANCE'],
    });
    expect(refusals.at(-1)).toMatchObject({
      sequence: 34,
      code: 'resume_refused',
      state: 'INVALID',
      invalidations: ['ROLE_MISMATCH'],
    });
  });

  it('says what bars a lineage that is hot', async () => {
    const registry = await opened();
    const record = recordFacts('one', { sensitivity: 'restricted' });
    await registry.ask('register', registerCommand('one', { record }));
    await registry.ask('release', { ...ONE, fence: 2 });
    const current = currentFacts({ sensitivity: 'restricted' });
    await registry.refusal('resume', resumeCommand('one', { current }));
    const { refusals } = lineageDocumentSchema.parse(await registry.ask('readLineage', ONE));
    const reasonCodes = ['SENSITIVITY_ISOLATION'];
    expect(refusals).toMatchObject([
      { code: 'resume_refused', state: 'HOT', invalidations: [], reasonCodes },
    ]);
  });

  it('is of a lineage that is known', async () => {
    expect(await (await opened()).refusal('readLineage', ONE)).toMatchObject({ code: 'not_found' });
  });

  it('is told as of now', async () => {
    const registry = await holding();
    registry.now = NOON + 300_000;
    expect(await registry.ask('readLineage', ONE)).toMatchObject({
      status: 'evicted',
      eviction: 'LEASE_EXPIRED',
    });
  });
});

it('owned paths are those of who works', async () => {
  const registry = await holding();
  const owned = ownedPathsSchema.parse(await registry.ask('ownedPaths', KEY));
  expect(owned.paths).toMatchObject([
    { path: 'src', lineageId: 'one', fence: 2, role: 'indexer', phase: '1A' },
  ]);
  registry.now += 300_000;
  expect(await registry.ask('ownedPaths', KEY)).toEqual({ workgroupId: WORKGROUP, paths: [] });
});

it.each(['resume', 'inherit', 'renew', 'reconcile', 'release', 'evict', 'recordResult'] as const)(
  'a lineage that nobody registered is not found: %s',
  async (name) => {
    const bodies = {
      resume: resumeCommand('nobody'),
      inherit: inheritCommand('nobody', 'child'),
      renew: { fence: 1 },
      reconcile: { capsuleHash: digest('9') },
      release: { fence: 1 },
      evict: { reason: 'INCOMPATIBLE' },
      recordResult: { fence: 1, taskId: 'task', policy: {} },
    };
    const body = { tenantId: TENANT, lineageId: 'nobody', ...bodies[name] };
    const details = { lineageId: 'nobody' };
    expect(await (await holding()).refusal(name, body)).toMatchObject({ code: 'not_found', details });
  },
);

describe('a private value', () => {
  const value = PRIVATE_VALUES['github'] ?? '';
  const record = recordFacts('two', { scope: `with ${value}` });

  it.each<[Parameters<AskedRegistry['refusal']>[0], object]>([
    ['register', registerCommand('two', { record })],
    ['register', registerCommand('two', { ownedFiles: [value] })],
    ['register', registerCommand('two', { delegationId: value })],
    ['resume', resumeCommand('one', { current: currentFacts({ more: value }) })],
    ['resume', resumeCommand('one', { record })],
    ['inherit', inheritCommand('one', 'two', { record })],
    ['recordResult', { ...ONE, fence: 2, taskId: value, policy: {} }],
    ['recordResult', { ...ONE, fence: 2, taskId: 'task', policy: { [value]: true } }],
  ])('gets nowhere: %s', async (name, body) => {
    expect(value).not.toBe('');
    const registry = await holding();
    const refusal = await registry.refusal(name, body);
    expect(refusal).toMatchObject({ code: 'private_content' });
    const kept = await registry.ask('workgroupEvents', { ...KEY, after: -1, limit: 100 });
    expect(JSON.stringify([refusal, refusal?.message, kept])).not.toContain(value);
    expect(kept['events']).toHaveLength(3);
  });

  it.each<[Parameters<AskedRegistry['refusal']>[0], object]>([
    ['readLineage', { tenantId: TENANT, lineageId: value }],
    ['listLineages', { ...KEY, workgroupId: value }],
    ['listLineages', { ...KEY, after: value }],
    ['ownedPaths', { ...KEY, workgroupId: value }],
    ['readWorkgroup', { ...KEY, workgroupId: value }],
    ['workgroupEvents', { ...KEY, workgroupId: value, after: -1, limit: 9 }],
  ])('is not repeated by a view: %s', async (name, query) => {
    const refusal = await (await holding()).refusal(name, query);
    expect(refusal).toMatchObject({ code: 'private_content' });
    expect(JSON.stringify([refusal, refusal?.message, refusal?.details])).not.toContain(value);
  });

  it('is none of the place to go on after: any owned path is that', async () => {
    const registry = await opened();
    const ownedFiles = ['apps/home/ada/x', 'libs/run-orchestrator', 'src/agent-runner.ts'];
    await registry.ask('register', registerCommand('two', { ownedFiles }));
    for (const [place, after] of ownedFiles.entries()) {
      const { paths } = ownedPathsSchema.parse(await registry.ask('ownedPaths', { ...KEY, after }));
      expect(paths.map(({ path }) => path)).toEqual(ownedFiles.slice(place + 1));
    }
  });

  it('of a platform’s handle is dropped', async () => {
    const registry = await opened();
    const handled = recordFacts('two', { platform_handle: value });
    const grant = await registry.ask('register', registerCommand('two', { record: handled }));
    expect(grant).toMatchObject({
      differences: ['platform_handle'],
      lineage: { record: { platform_handle: null } },
    });
    const kept = await registry.ask('workgroupEvents', { ...KEY, after: -1, limit: 100 });
    expect(JSON.stringify([grant, kept])).not.toContain(value);
  });
});
