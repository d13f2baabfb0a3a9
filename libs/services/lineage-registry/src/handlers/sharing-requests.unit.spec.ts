import {
  capsuleViewSchema,
  knowledgeCallsSchema,
  loadingPlanSchema,
  mcpHealthAnswerSchema,
} from '@palimpsest/contracts/registry';
import { AskedWorkgroup, KEY } from '../testing/asked-workgroup.js';
import { NOW } from '../testing/delegations.js';
import { opened } from '../testing/sample-events.js';

const GITHUB = `ghp_${'A1'.repeat(6)}`;
const HASH = `sha256:${'a'.repeat(64)}`;
const OTHER_HASH = `sha256:${'b'.repeat(64)}`;
const CAPSULE = {
  ...KEY,
  capsuleHash: HASH,
  artifactId: `art_${'a'.repeat(22)}`,
  taskId: 'T',
  phase: '2A',
  bytes: 9,
};

let registry: AskedWorkgroup;
beforeEach(async () => {
  registry = await AskedWorkgroup.opened();
});

describe('capsules', () => {
  it('are recorded once, whoever comes, and found', async () => {
    const bodies = ['c-1', 'c-2', undefined].map((commandId) => ({ ...CAPSULE, commandId }));
    const answers = await Promise.all(bodies.map((body) => registry.ask('recordCapsule', body)));
    registry.now += 86_400_001;
    await registry.store.forgetCommands();
    answers.push(await registry.ask('recordCapsule', { ...CAPSULE, artifactId: `art_${'b'.repeat(22)}` }));
    const view = capsuleViewSchema.parse(answers[0]);
    expect(view).toMatchObject({ artifactId: CAPSULE.artifactId, recordedAt: new Date(NOW).toISOString() });
    expect(answers).toEqual([view, view, view, view]);
    expect(await registry.types()).toEqual(['capsule.recorded']);
    expect(await registry.ask('findCapsule', { ...KEY, capsuleHash: HASH })).toEqual(view);
  });

  it('are unknown elsewhere', async () => {
    await registry.ask('recordCapsule', CAPSULE);
    const elsewhere = { tenantId: 'other', workgroupId: 'wg', capsuleHash: HASH };
    expect(await registry.ask('findCapsule', elsewhere)).toBe('not_found');
    const other = { ...KEY, capsuleHash: OTHER_HASH };
    expect(await registry.ask('findCapsule', other)).toBe('not_found');
  });

  it('are recorded in a workgroup that was opened after they were refused', async () => {
    const body = { ...CAPSULE, workgroupId: 'later' };
    expect(await registry.ask('recordCapsule', body)).toBe('not_found');
    const later = { ...KEY, workgroupId: 'later' };
    await registry.store.decide(later, () => ({ events: [opened], answer: {} }));
    expect(await registry.ask('recordCapsule', body)).toMatchObject({ capsuleHash: HASH });
  });
});

describe('the health of servers', () => {
  it('is what anybody found, at the time of the database', async () => {
    const query = { ...KEY, server: 'docs' };
    expect(await registry.ask('mcpHealth', query)).toEqual({
      server: 'docs',
      action: 'check',
      reason: 'UNKNOWN',
    });
    const checkedAt = new Date(NOW).toISOString();
    const skipped = { server: 'docs', action: 'skip', reason: 'CACHED', checkedAt };
    expect(await registry.ask('reportMcpHealth', { ...query, healthy: false })).toEqual(skipped);
    registry.now += 10 * 60_000 - 1;
    expect(mcpHealthAnswerSchema.parse(await registry.ask('mcpHealth', query))).toEqual(skipped);
    registry.now += 1;
    expect(await registry.ask('mcpHealth', query)).toMatchObject({ reason: 'EXPIRED', checkedAt });
    expect(await registry.ask('mcpHealth', { ...query, ttlMinutes: 11 })).toEqual(skipped);
  });

  it('is nobody else’s', async () => {
    await registry.ask('reportMcpHealth', { ...KEY, server: 'docs', healthy: true });
    expect(await registry.ask('mcpHealth', { ...KEY, workgroupId: 'none', server: 'docs' })).toBe(
      'not_found',
    );
    expect(await registry.ask('mcpHealth', { ...KEY, server: 'run-20310301' })).toBe('private_content');
  });
});

describe('knowledge', () => {
  const accept = (letter: string, change: object = {}) => ({
    ...KEY,
    lineageId: 'one',
    fence: 2,
    artifactId: `art_${letter.repeat(22)}`,
    deltaHash: letter.repeat(64),
    action: 'batch',
    ...change,
  });

  it('is flushed once; the same command has the same calls to make again', async () => {
    expect(await registry.ask('acceptKnowledge', accept('a'))).toEqual({ calls: [], waiting: 1 });
    expect(await registry.ask('acceptKnowledge', accept('a'))).toEqual({
      calls: [],
      waiting: 1,
      duplicate: true,
    });
    expect(await registry.ask('acceptKnowledge', accept('b'))).toEqual({ calls: [], waiting: 2 });
    const flush = { ...KEY, gate: 'review', commandId: 'c-9' };
    const answer = knowledgeCallsSchema.parse(await registry.ask('flushKnowledge', flush));
    const artifactIds = ['a', 'b'].map((letter) => `art_${letter.repeat(22)}`);
    expect(answer).toEqual({ calls: [{ writer: 'one', artifactIds }], waiting: 0 });
    expect(await registry.ask('flushKnowledge', flush)).toEqual(answer);
    expect(await registry.ask('flushKnowledge', { ...KEY, gate: 'review' })).toEqual({
      calls: [],
      waiting: 0,
    });
    expect(await registry.types()).toEqual(['knowledge.accepted', 'knowledge.accepted', 'knowledge.flushed']);
  });

  it('is its holder’s', async () => {
    expect(await registry.ask('acceptKnowledge', accept('a', { fence: 1 }))).toBe('stale_fence');
    expect(await registry.ask('acceptKnowledge', accept('a', { lineageId: 'two' }))).toBe('not_found');
    expect(await registry.ask('flushKnowledge', { ...KEY, gate: GITHUB })).toBe('private_content');
    expect(await registry.types()).toEqual([]);
  });
});

describe('the loading plan', () => {
  it('begins with a capsule that is known', async () => {
    await registry.ask('recordCapsule', CAPSULE);
    const plan = await registry.ask('planLoading', { ...KEY, capsuleHash: HASH });
    expect(loadingPlanSchema.parse(plan)).toMatchObject({
      phase: '1A',
      steps: [{ resource: 'capsule', reference: HASH }, { reference: '1A' }],
    });
    const unknown = { ...KEY, capsuleHash: OTHER_HASH };
    expect(await registry.ask('planLoading', unknown)).toBe('not_found');
  });

  it('is of a workgroup that is open, and of public words', async () => {
    expect(await registry.ask('planLoading', KEY)).toMatchObject({ steps: [{ reference: 'wg' }, {}] });
    expect(await registry.ask('planLoading', { ...KEY, workgroupId: 'none' })).toBe('not_found');
    expect(await registry.ask('planLoading', { ...KEY, relayTarget: GITHUB })).toBe('private_content');
  });
});
