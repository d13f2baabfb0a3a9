import { delegationListSchema, delegationViewSchema, type Delegate } from '@palimpsest/contracts/registry';
import { AskedWorkgroup, KEY } from '../testing/asked-workgroup.js';
import { READER, rolloutAt } from '../testing/delegations.js';

const GITHUB = `ghp_${'A1'.repeat(6)}`;

let registry: AskedWorkgroup;
beforeEach(async () => {
  registry = await AskedWorkgroup.opened();
});

describe('delegations', () => {
  it('are recorded once for a command, and so is what they are measured by', async () => {
    const command = { ...READER, commandId: 'c-1' };
    const first = delegationViewSchema.parse(await registry.ask('delegate', command));
    registry.rollout = rolloutAt('off');
    expect(await registry.ask('delegate', command)).toEqual(first);
    expect(first).toMatchObject({ sequence: 2, phase: '1A', rollout: { stage: 'on' } });
    expect(first.delegationId).toMatch(/^dlg_[0-9a-f]{32}$/);
    const id = `delegation:${first.delegationId}`;
    expect(registry.telemetry.map((row) => row.id)).toEqual([id, `${id}:recommended`]);
    expect(await registry.types()).toEqual(['delegation.recorded']);
  });

  it('have an id of their own for each command', async () => {
    const bodies = [READER, READER, { ...READER, commandId: 'c-1' }, { ...READER, commandId: 'c-2' }];
    const views = [];
    for (const body of bodies) views.push(delegationViewSchema.parse(await registry.ask('delegate', body)));
    expect(new Set(views.map(({ delegationId }) => delegationId)).size).toBe(4);
  });

  it('are told in pages', async () => {
    const views = [];
    for (const taskId of ['T-1', 'T-2', 'T-3']) {
      views.push(await registry.ask('delegate', { ...READER, taskId }));
      await registry.ask('reportMcpHealth', { ...KEY, server: 'docs', healthy: true });
    }
    const page = async (after: number, limit: number) => {
      const answer = await registry.ask('listDelegations', { ...KEY, after, limit });
      return delegationListSchema.parse(answer);
    };
    expect(await page(-1, 4)).toEqual({ delegations: views });
    expect(await page(-1, 3)).toEqual({ delegations: views });
    expect(await page(-1, 2)).toEqual({ delegations: views.slice(0, 2), next: 4 });
    expect(await page(4, 2)).toEqual({ delegations: views.slice(2) });
    expect(await page(3, 1)).toEqual({ delegations: views.slice(1, 2), next: 4 });
    expect(await page(6, 1)).toEqual({ delegations: [] });
    expect(await registry.ask('listDelegations', { ...KEY, workgroupId: 'none', after: -1, limit: 1 })).toBe(
      'not_found',
    );
  });

  it('see a named lineage that is evicted', async () => {
    await registry.store.decide(KEY, () => ({
      events: [{ type: 'palimpsest.lineage.evicted', lineageId: 'one', payload: { reason: 'FINAL_GATE' } }],
      answer: {},
    }));
    const command: Delegate = { ...READER, role: 'builder', lineageId: 'one' };
    expect(await registry.ask('delegate', command)).toMatchObject({ lineage: { state: 'INVALID' } });
    expect(await registry.ask('delegate', { ...command, lineageId: 'two' })).toBe('not_found');
    expect(await registry.ask('delegate', { ...READER, parentLineageId: 'one' })).toMatchObject({
      mode: 'fresh-capsule',
    });
  });

  it.each([
    ['taskId', GITHUB],
    ['nodeId', 'ada@example.org'],
    ['role', 'run-20310301'],
    ['ownedFiles', [`src/${GITHUB}`]],
    ['routing', { note: [[`x ${GITHUB}`]] }],
    ['routing', { workspace_root: '/home/ada/x' }],
    ['current', { session_id: 1 }],
    ['resultPolicy', { [GITHUB]: true }],
  ])('with a private value in %s are refused, and nothing is recorded', async (name, value) => {
    expect(await registry.ask('delegate', { ...READER, [name]: value })).toBe('private_content');
    expect(await registry.types()).toEqual([]);
    expect(registry.telemetry).toEqual([]);
  });

  it('are refused where the request does not fit', async () => {
    expect(await registry.ask('delegate', { ...READER, coupling: 'loose' })).toBe('validation_error');
    expect(await registry.ask('delegate', { ...READER, more: 1 })).toBe('validation_error');
    expect(await registry.ask('delegate', { ...READER, taskCorpusId: 'T-1' })).toBe('validation_error');
  });
});
