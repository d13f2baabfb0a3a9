import { DecidedWorkgroup, namesOf, refusalOf } from '../../testing/decided-workgroup.js';
import { NOON, TENANT, WORKGROUP } from '../../testing/lineage-records.js';
import { decideAdvancePhase, decideApprove, decideCoordinate } from './coordinate.js';
import { timeOf } from './deciding.js';
import { DEFAULT_LEASE_MS } from './workgroup.js';

const KEY = { tenantId: TENANT, workgroupId: WORKGROUP };

describe('the seat of the coordinator', () => {
  it('opens a workgroup, in the first phase', () => {
    const decided = new DecidedWorkgroup();
    const outcome = decided.act(decideCoordinate, KEY);
    expect(namesOf(outcome)).toEqual(['workgroup.opened', 'workgroup.seat_taken']);
    expect(outcome.answer).toEqual({
      workgroupId: WORKGROUP,
      sequence: 1,
      phase: '1A',
      coordinator: { fence: 1, expiresAt: timeOf(NOON + DEFAULT_LEASE_MS) },
      approvals: [],
      lineages: { held: 0, idle: 0 },
    });
  });

  it('opens it in another phase and for another time', () => {
    const { workgroup } = DecidedWorkgroup.opened({ phase: '2B', leaseMs: 1000 });
    expect(workgroup).toMatchObject({ phase: '2B', seat: { fence: 1, expiresAt: timeOf(NOON + 1000) } });
  });

  it('is kept for longer by whoever holds it, under the same fence; the phase stays', () => {
    const decided = DecidedWorkgroup.opened();
    decided.now += 1000;
    const outcome = decided.act(decideCoordinate, { ...KEY, fence: 1, phase: '1A' });
    expect(namesOf(outcome)).toEqual(['workgroup.seat_taken']);
    const coordinator = { fence: 1, expiresAt: timeOf(NOON + 1000 + DEFAULT_LEASE_MS) };
    expect(outcome.answer).toMatchObject({ coordinator, phase: '1A' });
  });

  it.each([
    ['is taken while its lease runs', -1, { code: 'seat_taken' }],
    ['is free once its lease is over', 0, {}],
    ['is free after that', 1, {}],
  ])('%s', (_, beyond, refusal) => {
    const decided = DecidedWorkgroup.opened();
    decided.now += DEFAULT_LEASE_MS + beyond;
    const outcome = decided.act(decideCoordinate, KEY);
    expect(refusalOf(outcome)).toMatchObject(refusal);
    expect(decided.workgroup.seat?.fence).toBe('code' in refusal ? 1 : 2);
  });

  it.each([
    ['by who keeps it', { fence: 1 }],
    ['by who takes it over', { takeOver: true }],
    ['by who finds it free', {}],
  ])('moves no phase: it is refused with another one, %s', (how, command) => {
    const decided = DecidedWorkgroup.opened({ phase: '2A' });
    if (how === 'by who finds it free') decided.now += DEFAULT_LEASE_MS;
    const outcome = decided.act(decideCoordinate, { ...KEY, ...command, phase: '2B' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'validation_error', details: { field: 'phase' } });
    expect(outcome.events).toEqual([]);
    expect(decided.give(decideCoordinate, { ...KEY, ...command, phase: '2A' }).phase).toBe('2A');
  });

  it('is refused for what it is, whatever phase is said', () => {
    const outcome = DecidedWorkgroup.opened().act(decideCoordinate, { ...KEY, phase: '3' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'seat_taken' });
  });

  it('says until when it is taken', () => {
    const details = { workgroupId: WORKGROUP, expiresAt: timeOf(NOON + DEFAULT_LEASE_MS) };
    const outcome = DecidedWorkgroup.opened().act(decideCoordinate, KEY);
    expect(refusalOf(outcome)).toEqual({ code: 'seat_taken', details });
    expect(outcome.refusal?.message).toMatch(/^The workgroup has a coordinator\. .*"fence"; .*"takeOver"\.$/);
    expect(outcome.events).toEqual([]);
  });

  it('is taken over, and the fence before is stale', () => {
    const decided = DecidedWorkgroup.opened();
    const { coordinator } = decided.give(decideCoordinate, { ...KEY, takeOver: true });
    expect(coordinator?.fence).toBe(2);
    expect(refusalOf(decided.act(decideCoordinate, { ...KEY, fence: 1 }))).toMatchObject({
      code: 'stale_fence',
    });
    expect(decided.give(decideCoordinate, { ...KEY, fence: 1, takeOver: true }).coordinator?.fence).toBe(3);
  });

  it.each([
    ['of a workgroup that is not open', new DecidedWorkgroup(), 0],
    ['that another has', DecidedWorkgroup.opened({ takeOver: true }), 0],
    ['whose lease is over', DecidedWorkgroup.opened(), DEFAULT_LEASE_MS],
  ])('is not kept under a fence that does not hold it: %s', (_, decided, passed) => {
    decided.now += passed;
    const fence = passed > 0 ? 1 : 9;
    const outcome = decided.act(decideCoordinate, { ...KEY, fence });
    expect(refusalOf(outcome)).toEqual({ code: 'stale_fence', details: { workgroupId: WORKGROUP } });
    expect(outcome.events).toEqual([]);
  });
});

describe('a phase', () => {
  it.each(['1B', '2A', '2B', '3'] as const)('may follow 1A: %s', (phase) => {
    const decided = DecidedWorkgroup.opened();
    const outcome = decided.act(decideAdvancePhase, { ...KEY, fence: 1, phase });
    expect(outcome.answer).toMatchObject({ phase, sequence: 2 });
    expect(outcome.events).toEqual([
      { type: 'palimpsest.workgroup.phase_advanced', payload: { fence: 1, from: '1A', to: phase } },
    ]);
  });

  it('may be gone back to', () => {
    const decided = DecidedWorkgroup.opened({ phase: '3' });
    expect(decided.give(decideAdvancePhase, { ...KEY, fence: 1, phase: '1A' })).toMatchObject({
      phase: '1A',
    });
  });

  it('does not follow itself', () => {
    const outcome = DecidedWorkgroup.opened().act(decideAdvancePhase, { ...KEY, fence: 1, phase: '1A' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'validation_error', details: { field: 'phase' } });
  });

  it.each([
    ['a fence that nobody has', 9, 0],
    ['a lease that is over', 1, DEFAULT_LEASE_MS],
  ])('is the coordinator’s to advance: not with %s', (_, fence, passed) => {
    const decided = DecidedWorkgroup.opened();
    decided.now += passed;
    const outcome = decided.act(decideAdvancePhase, { ...KEY, fence, phase: '1B' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'stale_fence' });
    expect(decided.workgroup.phase).toBe('1A');
  });

  it('is advanced until the last millisecond of the lease', () => {
    const decided = DecidedWorkgroup.opened();
    decided.now += DEFAULT_LEASE_MS - 1;
    expect(decided.give(decideAdvancePhase, { ...KEY, fence: 1, phase: '1B' })).toMatchObject({
      phase: '1B',
    });
  });

  it('is not advanced by the holder of a lineage', () => {
    const decided = DecidedWorkgroup.opened();
    const { fence } = decided.held('worker');
    const outcome = decided.act(decideAdvancePhase, { ...KEY, fence, phase: '1B' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'stale_fence' });
  });

  it('is one of a workgroup that somebody opened, and so is an approval', () => {
    const decided = new DecidedWorkgroup();
    const outcomes = [
      decided.act(decideAdvancePhase, { ...KEY, fence: 1, phase: '1B' }),
      decided.act(decideApprove, { ...KEY, fence: 1, subject: 'plan' }),
    ];
    for (const outcome of outcomes) {
      expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: { workgroupId: WORKGROUP } });
      expect(outcome.events).toEqual([]);
    }
  });
});

describe('an approval', () => {
  function working(): DecidedWorkgroup {
    const decided = DecidedWorkgroup.opened({ leaseMs: 86_400_000 });
    decided.held('worker');
    decided.idle('warm');
    return decided;
  }

  it('is recorded with its phase and time', () => {
    const decided = working();
    const outcome = decided.act(decideApprove, { ...KEY, fence: 1, subject: 'plan' });
    expect(namesOf(outcome)).toEqual(['workgroup.approved']);
    expect(outcome.answer).toMatchObject({
      approvals: [{ subject: 'plan', phase: '1A', finalGate: false, approvedAt: timeOf(NOON) }],
      lineages: { held: 1, idle: 1 },
    });
  });

  it('ends all work and all warmth at the final gate', () => {
    const decided = working();
    const outcome = decided.act(decideApprove, { ...KEY, fence: 1, subject: 'release', finalGate: true });
    expect(namesOf(outcome)).toEqual(['workgroup.approved', 'lineage.evicted', 'lineage.evicted']);
    expect(outcome.answer).toMatchObject({ lineages: { held: 0, idle: 0 }, coordinator: { fence: 1 } });
    expect(decided.lineage('worker')).toMatchObject({ status: 'evicted', eviction: 'FINAL_GATE' });
    expect(decided.lineage('warm')).toMatchObject({ status: 'evicted', eviction: 'FINAL_GATE' });
  });

  it('evicts nobody twice', () => {
    const decided = working();
    decided.now += DEFAULT_LEASE_MS;
    const outcome = decided.act(decideApprove, { ...KEY, fence: 1, subject: 'release', finalGate: true });
    // The worker's lease has just expired.
    expect(outcome.events.slice(0, 1)).toMatchObject([
      { lineageId: 'worker', payload: { reason: 'LEASE_EXPIRED' } },
    ]);
    expect(namesOf(outcome)).toEqual(['lineage.evicted', 'workgroup.approved', 'lineage.evicted']);
  });

  it('is the coordinator’s', () => {
    const outcome = working().act(decideApprove, { ...KEY, fence: 2, subject: 'plan', finalGate: true });
    expect(refusalOf(outcome)).toMatchObject({ code: 'stale_fence' });
    expect(outcome.events).toEqual([]);
  });
});
