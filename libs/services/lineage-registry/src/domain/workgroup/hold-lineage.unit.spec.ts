import { DecidedWorkgroup, namesOf, refusalOf } from '../../testing/decided-workgroup.js';
import { currentFacts, digest, NOON, resumeCommand, TENANT } from '../../testing/lineage-records.js';
import { timeOf, type Decide } from './deciding.js';
import { decideEvict } from './evict.js';
import { decideRelease, decideRenew } from './hold-lineage.js';
import { decideReconcile } from './reconcile.js';
import { decideRecordResult } from './record-result.js';
import { decideResume } from './resume.js';
import { DEFAULT_LEASE_MS, DEFAULT_WARM_MS } from './workgroup.js';

const ONE = { tenantId: TENANT, lineageId: 'one' };
const RESULT = { ...ONE, taskId: 'task-1', policy: {} };
const CAPSULE = { ...ONE, capsuleHash: digest('9') };

/** A lineage `one`, held under fence 2. */
function holding(): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened({ leaseMs: 86_400_000 });
  decided.held('one', { ownedFiles: ['src'] });
  return decided;
}

/** Writes under a lineage, with whatever fence. */
const WRITES: readonly (readonly [string, (fence: number) => readonly [Decide<never, unknown>, object]])[] = [
  ['renew', (fence) => [decideRenew, { ...ONE, fence }]],
  ['release', (fence) => [decideRelease, { ...ONE, fence }]],
  ['a result', (fence) => [decideRecordResult, { ...RESULT, fence }]],
  ['reconcile', (fence) => [decideReconcile(true), { ...CAPSULE, fence }]],
];

describe.each(WRITES)('a write: %s', (name, write) => {
  function attempt(decided: DecidedWorkgroup, fence: number) {
    const [decide, command] = write(fence);
    return decided.act(decide, command as never);
  }

  it('is the holder’s', () => {
    const outcome = attempt(holding(), 2);
    expect(refusalOf(outcome)).toEqual({});
    expect(outcome.events).toHaveLength(1);
  });

  it.each([1, 3])('is not whoever’s has another fence: %i', (fence) => {
    const outcome = attempt(holding(), fence);
    expect(refusalOf(outcome)).toEqual({
      code: 'stale_fence',
      details: { lineageId: 'one', status: 'held' },
    });
    expect(outcome.events).toEqual([]);
  });

  it('is not its last holder’s, once it is somebody else’s', () => {
    const decided = holding();
    decided.give(decideRelease, { ...ONE, fence: 2 });
    expect(refusalOf(attempt(decided, 2))).toMatchObject({
      code: 'stale_fence',
      details: { status: 'idle' },
    });
    const { fence } = decided.give(decideResume, resumeCommand('one'));
    expect(refusalOf(attempt(decided, 2))).toMatchObject({ code: 'stale_fence' });
    expect(refusalOf(attempt(decided, fence))).toEqual({});
  });

  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])('is its holder’s to the last millisecond: %i', (beyond, holds) => {
    const decided = holding();
    decided.now += DEFAULT_LEASE_MS + beyond;
    const outcome = attempt(decided, 2);
    const code = name === 'reconcile' ? 'lineage_evicted' : 'stale_fence';
    expect(refusalOf(outcome)).toMatchObject(holds ? {} : { code, details: { reason: 'LEASE_EXPIRED' } });
    expect(outcome.events).toHaveLength(1);
    expect(decided.lineage('one')?.status === 'evicted').toBe(!holds);
  });

  it('is of a lineage that is known', () => {
    const outcome = attempt(DecidedWorkgroup.opened(), 1);
    expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: { lineageId: 'one' } });
  });

  it('is of a workgroup that is open', () => {
    expect(refusalOf(attempt(new DecidedWorkgroup(), 1))).toMatchObject({ code: 'not_found' });
  });
});

describe('a lease', () => {
  it.each([
    [undefined, DEFAULT_LEASE_MS],
    [1000, 1000],
  ])('is renewed from now on, under its fence: %p', (leaseMs, expected) => {
    const decided = holding();
    decided.now += 60_000;
    const { fence, expiresAt, lineage, differences } = decided.give(decideRenew, {
      ...ONE,
      fence: 2,
      leaseMs,
    });
    expect({ fence, expiresAt, differences }).toEqual({
      fence: 2,
      expiresAt: timeOf(NOON + 60_000 + expected),
      differences: [],
    });
    expect(lineage).toMatchObject({ status: 'held', grant: 'fresh-capsule', lease: { fence: 2, expiresAt } });
  });
});

describe('a release', () => {
  it.each([
    [undefined, DEFAULT_WARM_MS],
    [1000, 1000],
  ])('keeps the worker warm: %p', (warmMs, expected) => {
    const decided = holding();
    const outcome = decided.act(decideRelease, { ...ONE, fence: 2, warmMs });
    const warmUntil = timeOf(NOON + expected);
    expect(outcome.events).toEqual([
      { type: 'palimpsest.lineage.released', lineageId: 'one', payload: { fence: 2, warmUntil } },
    ]);
    expect(outcome.answer).toMatchObject({ status: 'idle', record: { lease_expires_at: warmUntil } });
    expect(outcome.answer).not.toHaveProperty('lease');
  });

  it.each([
    [{ scopeComplete: true }, 'evicted'],
    [{ scopeComplete: true, likelyContinuation: false }, 'evicted'],
    [{ scopeComplete: true, likelyContinuation: true }, 'idle'],
    [{ scopeComplete: false, likelyContinuation: false }, 'idle'],
    [{ likelyContinuation: false }, 'idle'],
  ])('ends what is complete where nothing likely follows: %j', (facts, status) => {
    const { answer } = holding().act(decideRelease, { ...ONE, fence: 2, ...facts });
    expect(answer).toMatchObject({ status });
    expect(answer?.eviction).toBe(status === 'evicted' ? 'NO_LIKELY_CONTINUATION' : undefined);
  });
});

describe('a reconciliation', () => {
  function idle(): DecidedWorkgroup {
    const decided = holding();
    decided.give(decideRelease, { ...ONE, fence: 2 });
    return decided;
  }

  it('is anybody’s where nobody holds the lineage', () => {
    const decided = idle();
    decided.act(decideResume, resumeCommand('one', { current: currentFacts({ reconcile_required: true }) }));
    const outcome = decided.act(decideReconcile(true), CAPSULE);
    expect(outcome.events).toEqual([
      { type: 'palimpsest.lineage.reconciled', lineageId: 'one', payload: { capsuleHash: digest('9') } },
    ]);
    const record = { capsule_hash: digest('9') };
    expect(outcome.answer).toMatchObject({ status: 'idle', reconcileRequired: false, record });
  });

  it('is the holder’s where somebody does', () => {
    expect(refusalOf(holding().act(decideReconcile(true), CAPSULE))).toMatchObject({ code: 'stale_fence' });
  });

  it('needs a capsule that is recorded', () => {
    const outcome = idle().act(decideReconcile(false), CAPSULE);
    expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: { capsuleHash: digest('9') } });
    expect(outcome.events).toEqual([]);
  });

  it('comes too late for a lineage that left', () => {
    const decided = idle();
    decided.give(decideEvict, { ...ONE, reason: 'INCOMPATIBLE' });
    expect(refusalOf(decided.act(decideReconcile(true), CAPSULE))).toMatchObject({ code: 'lineage_evicted' });
  });
});

describe('an eviction', () => {
  it.each(['INCOMPATIBLE', 'SENSITIVITY_TRANSITION', 'CAPACITY_PRESSURE', 'NO_LIKELY_CONTINUATION'] as const)(
    'asks nobody: %s',
    (reason) => {
      const decided = holding();
      const outcome = decided.act(decideEvict, { ...ONE, reason });
      expect(namesOf(outcome)).toEqual(['lineage.evicted']);
      expect(outcome.answer).toMatchObject({
        status: 'evicted',
        eviction: reason,
        record: { lease_expires_at: null },
      });
      const stale = decided.act(decideRenew, { ...ONE, fence: 2 });
      expect(refusalOf(stale)).toEqual({
        code: 'stale_fence',
        details: { lineageId: 'one', status: 'evicted', reason },
      });
    },
  );

  it('happens once', () => {
    const decided = holding();
    decided.give(decideEvict, { ...ONE, reason: 'INCOMPATIBLE' });
    const outcome = decided.act(decideEvict, { ...ONE, reason: 'CAPACITY_PRESSURE' });
    const details = { lineageId: 'one', reason: 'INCOMPATIBLE' };
    expect(refusalOf(outcome)).toEqual({ code: 'lineage_evicted', details });
  });
});

describe('a result', () => {
  it('is evidence at its place, and moves nothing', () => {
    const decided = holding();
    const before = decided.workgroup;
    const policy = { material: true, crosses_phase: true, authorize_workgroup_write: true };
    const artifactIds = [`art_${'a'.repeat(22)}`];
    const outcome = decided.act(decideRecordResult, { ...RESULT, fence: 2, policy, artifactIds });
    expect(outcome.answer).toEqual({
      sequence: before.sequence + 1,
      mode: 'durable',
      writeProhibited: false,
      writes: { handoff: true, artifact: false, vault: false, settings: false, workgroup: true },
    });
    expect(outcome.events).toEqual([
      {
        type: 'palimpsest.lineage.result_recorded',
        lineageId: 'one',
        payload: { fence: 2, taskId: 'task-1', mode: 'durable', artifactIds },
      },
    ]);
    expect(decided.workgroup).toEqual({ ...before, sequence: before.sequence + 1 });
  });

  it.each([
    [true, []],
    [false, [`art_${'a'.repeat(22)}`]],
  ])('has its artifacts unless nothing may be written: %p', (prohibited, kept) => {
    const policy = { write_prohibited: prohibited, material: true };
    const artifactIds = [`art_${'a'.repeat(22)}`];
    const outcome = holding().act(decideRecordResult, { ...RESULT, fence: 2, policy, artifactIds });
    expect(outcome.events).toMatchObject([{ payload: { artifactIds: kept } }]);
  });

  it('has its place behind what has expired', () => {
    const decided = holding();
    decided.held('other', { leaseMs: 1000 });
    decided.now += 1000;
    const { answer } = decided.act(decideRecordResult, { ...RESULT, fence: 2 });
    expect(answer?.sequence).toBe(decided.workgroup.sequence);
    expect(decided.log.at(-1)?.type).toBe('palimpsest.lineage.result_recorded');
  });

  it.each<[object, string, boolean]>([
    [{}, 'ephemeral', false],
    [{ write_prohibited: true, material: true }, 'ephemeral', true],
    [{ large_raw_output: true }, 'artifact', false],
  ])('goes where the policy says: %j', (policy, mode, writeProhibited) => {
    const command = { ...RESULT, fence: 2, policy: policy as typeof RESULT.policy };
    expect(holding().give(decideRecordResult, command)).toMatchObject({ mode, writeProhibited });
  });

  it.each<[object, string]>([
    [{ material: true, authorize_handoff: false }, 'RESULT_HANDOFF_NOT_AUTHORIZED'],
    [{ large_raw_output: true, authorize_artifact: false }, 'RESULT_ARTIFACT_NOT_AUTHORIZED'],
    [{ requested_mode: 'forever' }, 'INVALID_REQUEST'],
  ])('is refused by the contract: %j', (policy, contractCode) => {
    const command = { ...RESULT, fence: 2, policy: policy as typeof RESULT.policy };
    const outcome = holding().act(decideRecordResult, command);
    expect(refusalOf(outcome)).toEqual({ code: 'context_refused', details: { contractCode } });
    expect(outcome.events).toEqual([]);
  });
});
