import { NOON, WORKGROUP } from '../../testing/lineage-records.js';
import { DecidedWorkgroup } from '../../testing/decided-workgroup.js';
import { timeOf } from './deciding.js';
import { evolve } from './evolve.js';
import {
  closedWorkgroup,
  MOST_APPROVALS,
  MOST_KNOWN_DELTAS,
  MOST_MCP_SERVERS,
  type Workgroup,
} from './workgroup.js';
import type { WorkgroupEvent } from './workgroup-events.js';

const AT = timeOf(NOON + 1000);
const LATER = timeOf(NOON + 60_000);
const CLOSED = closedWorkgroup(WORKGROUP);

function after(workgroup: Workgroup, ...events: readonly WorkgroupEvent[]): Workgroup {
  return events.reduce((state, event) => evolve(state, { ...event, recordedAt: AT }), workgroup);
}

/** `held` under fence 2, `other` under fence 3. */
function twoLineages(): Workgroup {
  const decided = DecidedWorkgroup.opened();
  decided.held('held', { ownedFiles: ['src'] });
  decided.held('other');
  return decided.workgroup;
}

describe('the state of a workgroup', () => {
  it('begins with a phase', () => {
    const opened = after(CLOSED, { type: 'palimpsest.workgroup.opened', payload: { phase: '2A' } });
    expect(opened).toEqual({ ...CLOSED, sequence: 0, phase: '2A' });
  });

  it('has the seat of whoever took it last, and the greatest fence', () => {
    const taken = after(
      { ...CLOSED, lastFence: 7 },
      { type: 'palimpsest.workgroup.seat_taken', payload: { fence: 8, expiresAt: LATER } },
      { type: 'palimpsest.workgroup.seat_taken', payload: { fence: 5, expiresAt: LATER } },
    );
    expect(taken).toMatchObject({ seat: { fence: 5, expiresAt: LATER }, lastFence: 8, sequence: 1 });
  });

  it('has the phase that it was advanced to', () => {
    const payload = { fence: 1, from: '1A', to: '3' } as const;
    expect(after(CLOSED, { type: 'palimpsest.workgroup.phase_advanced', payload })).toMatchObject({
      phase: '3',
    });
  });

  it.each([MOST_APPROVALS - 1, MOST_APPROVALS, MOST_APPROVALS + 1])(
    'keeps the newest of %i approvals',
    (count) => {
      const events = Array.from({ length: count }, (_, place) => ({
        type: 'palimpsest.workgroup.approved' as const,
        payload: { fence: 1, subject: `plan-${place}`, phase: '1A' as const, finalGate: false },
      }));
      const { approvals } = after(CLOSED, ...events);
      expect(approvals).toHaveLength(Math.min(count, MOST_APPROVALS));
      const subject = `plan-${count - 1}`;
      expect(approvals.at(-1)).toEqual({ subject, phase: '1A', finalGate: false, approvedAt: AT });
    },
  );

  it('has the last that was seen of a server', () => {
    const seen = (healthy: boolean, phase: '1A' | '1B'): WorkgroupEvent => ({
      type: 'palimpsest.mcp.health_reported',
      payload: { server: 'files', healthy, phase },
    });
    const { mcpHealth } = after(CLOSED, seen(true, '1A'), seen(false, '1B'));
    expect([...mcpHealth]).toEqual([['files', { healthy: false, phase: '1B', checkedAt: NOON + 1000 }]]);
  });

  describe('knowledge', () => {
    const accepted = (
      writer: string,
      artifactId: string,
      action: 'skip' | 'batch' | 'flush' = 'batch',
    ): WorkgroupEvent => ({
      type: 'palimpsest.knowledge.accepted',
      payload: { writer, artifactId, deltaHash: `hash-${artifactId}`, action },
    });

    it('waits until its writer is flushed', () => {
      const waiting = after(
        CLOSED,
        accepted('a', 'one'),
        accepted('b', 'two'),
        accepted('a', 'three', 'flush'),
      );
      expect(waiting.knowledge).toEqual([
        { writer: 'a', artifactId: 'one' },
        { writer: 'b', artifactId: 'two' },
        { writer: 'a', artifactId: 'three' },
      ]);
      const payload = { gate: null, writers: ['a'] };
      const flushed = after(waiting, { type: 'palimpsest.knowledge.flushed', payload });
      expect(flushed.knowledge).toEqual([{ writer: 'b', artifactId: 'two' }]);
      expect(flushed.knownDeltas).toEqual(['hash-one', 'hash-two', 'hash-three']);
    });

    it('does not wait where it was skipped', () => {
      expect(after(CLOSED, accepted('a', 'one', 'skip'))).toEqual({ ...CLOSED, sequence: 0 });
    });

    it.each([MOST_KNOWN_DELTAS - 1, MOST_KNOWN_DELTAS, MOST_KNOWN_DELTAS + 1])(
      'is known by the newest of %i hashes',
      (count) => {
        const events = Array.from({ length: count }, (_, place) => accepted('a', String(place)));
        const { knownDeltas } = after(CLOSED, ...events);
        expect(knownDeltas).toHaveLength(Math.min(count, MOST_KNOWN_DELTAS));
        expect(knownDeltas.at(-1)).toBe(`hash-${count - 1}`);
      },
    );
  });
});

describe('the health of servers', () => {
  const reported = (server: string): WorkgroupEvent => ({
    type: 'palimpsest.mcp.health_reported',
    payload: { server, healthy: true, phase: '1A' },
  });

  it.each([MOST_MCP_SERVERS - 1, MOST_MCP_SERVERS, MOST_MCP_SERVERS + 1])(
    'is known of those that were checked last, of %i',
    (count) => {
      const names = Array.from({ length: count }, (_, place) => `server-${place}`);
      const again = 'server-0';
      const { mcpHealth } = after(
        CLOSED,
        ...[...names.slice(0, -1), again, ...names.slice(-1)].map(reported),
      );
      expect(mcpHealth.size).toBe(Math.min(count, MOST_MCP_SERVERS));
      expect([...mcpHealth.keys()].slice(-2)).toEqual([again, `server-${count - 1}`]);
      expect(mcpHealth.has('server-1')).toBe(count <= MOST_MCP_SERVERS);
    },
  );
});

describe('the state of a lineage', () => {
  const lineageId = 'held';

  it('is held once it is registered', () => {
    expect(twoLineages().lineages.get(lineageId)).toMatchObject({
      status: 'held',
      fence: 2,
      grant: 'fresh-capsule',
      isWriter: true,
      ownedPaths: ['src'],
      depth: 0,
      reconcileRequired: false,
      eviction: null,
    });
  });

  it.each<[string, WorkgroupEvent, object]>([
    [
      'resumed',
      {
        type: 'palimpsest.lineage.resumed',
        lineageId,
        payload: { fence: 9, expiresAt: LATER, isWriter: false, ownedPaths: [], differences: [] },
      },
      {
        status: 'held',
        fence: 9,
        grant: 'resume',
        isWriter: false,
        ownedPaths: [],
        record: { mode: 'resume', last_used_at: AT, lease_expires_at: LATER },
      },
    ],
    [
      'renewed',
      { type: 'palimpsest.lineage.renewed', lineageId, payload: { fence: 2, expiresAt: LATER } },
      { status: 'held', fence: 2, record: { last_used_at: AT, lease_expires_at: LATER } },
    ],
    [
      'released',
      { type: 'palimpsest.lineage.released', lineageId, payload: { fence: 2, warmUntil: LATER } },
      { status: 'idle', fence: 2, record: { last_used_at: AT, lease_expires_at: LATER } },
    ],
    [
      'due to be reconciled',
      { type: 'palimpsest.lineage.reconcile_required', lineageId, payload: {} },
      { status: 'held', reconcileRequired: true },
    ],
    [
      'reconciled',
      { type: 'palimpsest.lineage.reconciled', lineageId, payload: { capsuleHash: 'sha256:9' } },
      { status: 'held', reconcileRequired: false, record: { capsule_hash: 'sha256:9' } },
    ],
    [
      'evicted',
      { type: 'palimpsest.lineage.evicted', lineageId, payload: { reason: 'CAPACITY_PRESSURE' } },
      { status: 'evicted', eviction: 'CAPACITY_PRESSURE', record: { lease_expires_at: null } },
    ],
  ])('is %s, and no other changes', (_, event, expected) => {
    const before = twoLineages();
    const state = after(before, event);
    expect(state.lineages.get(lineageId)).toMatchObject(expected);
    expect(state.lineages.get('other')).toBe(before.lineages.get('other'));
    expect([...state.lineages.keys()]).toEqual(['held', 'other']);
    expect(state.sequence).toBe(before.sequence + 1);
    expect(state.lastFence).toBe(event.type === 'palimpsest.lineage.resumed' ? 9 : 3);
  });

  const refusal = { wanted: 'resume', code: 'lineage_held', state: null, invalidations: [] } as const;
  const refused: WorkgroupEvent = { type: 'palimpsest.lineage.refused', lineageId, payload: refusal };

  it('remembers why it was refused, until something happens to it', () => {
    const another = { ...refusal, wanted: 'inherit' as const };
    const before = after(after(twoLineages(), refused), { ...refused, payload: another });
    const knownRefusals = [refusal, another];
    expect(before.lineages.get(lineageId)).toMatchObject({ status: 'held', knownRefusals });
    const payload = { fence: 2, taskId: 'task', mode: 'durable' as const, artifactIds: [] };
    const result: WorkgroupEvent = { type: 'palimpsest.lineage.result_recorded', lineageId, payload };
    expect(after(before, result).lineages).toBe(before.lineages);
    const renewal = { fence: 2, expiresAt: LATER };
    const renewed: WorkgroupEvent = { type: 'palimpsest.lineage.renewed', lineageId, payload: renewal };
    expect(after(before, renewed).lineages.get(lineageId)).toMatchObject({ knownRefusals: [] });
  });

  it.each<WorkgroupEvent>([
    {
      type: 'palimpsest.lineage.result_recorded',
      lineageId,
      payload: { fence: 2, taskId: 'task', mode: 'durable', artifactIds: [] },
    },
    {
      type: 'palimpsest.capsule.recorded',
      payload: { capsuleHash: 'sha256:1', artifactId: 'art', taskId: 'task', phase: '1A', bytes: 1 },
    },
    { type: 'palimpsest.workgroup.phase_advanced', payload: { fence: 1, from: '1A', to: '1B' } },
    { type: 'palimpsest.lineage.reconciled', lineageId: 'stranger', payload: { capsuleHash: 'sha256:1' } },
  ])('does not change by $type', (event) => {
    const before = twoLineages();
    const state = after(before, event);
    expect(state.lineages).toBe(before.lineages);
    expect(state.sequence).toBe(before.sequence + 1);
  });

  it('stays due to be reconciled as the same object', () => {
    const event: WorkgroupEvent = { type: 'palimpsest.lineage.reconcile_required', lineageId, payload: {} };
    const before = after(twoLineages(), event);
    expect(after(before, event).lineages).toBe(before.lineages);
  });
});
