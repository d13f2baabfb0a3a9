import type { McpHealth } from '@palimpsest/context-efficiency';
import type { AcceptKnowledge, PlanLoading } from '@palimpsest/contracts/registry';
import fc from 'fast-check';
import { lineageCalled, NOW, workgroupOf } from '../../testing/delegations.js';
import { foldAt } from '../workgroup/deciding.js';
import { closedWorkgroup, MOST_WAITING_DELTAS, type Workgroup } from '../workgroup/workgroup.js';
import { capsuleCommandId, decideRecordCapsule } from './capsules.js';
import { decideAcceptKnowledge, decideFlushKnowledge } from './knowledge.js';
import { loadingPlanOf } from './loading-plan.js';
import { decideReportMcpHealth, mcpHealthOf } from './mcp-health.js';

const KEY = { tenantId: 'acme', workgroupId: 'wg' };
const TIME = '2031-03-10T12:00:00.000Z';
const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const art = (letter: string): string => `art_${letter.repeat(22)}`;

describe('capsules', () => {
  const command = {
    ...KEY,
    capsuleHash: digest('a'),
    artifactId: art('a'),
    taskId: 'T-1',
    phase: '1B' as const,
    bytes: 421,
  };
  const { tenantId: _tenant, workgroupId: _workgroup, ...payload } = command;

  it('are recorded with what is known of them, in their own phase', () => {
    expect(decideRecordCapsule(workgroupOf(), command, NOW)).toEqual({
      events: [{ type: 'palimpsest.capsule.recorded', payload }],
      answer: { ...payload, recordedAt: TIME },
    });
  });

  it('are one command each, within a workgroup', () => {
    const ids = [
      capsuleCommandId(command),
      capsuleCommandId({ ...command, workgroupId: 'wg2' }),
      capsuleCommandId({ ...command, capsuleHash: digest('b') }),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(capsuleCommandId({ ...command, artifactId: art('b') } as typeof command)).toBe(ids[0]);
    expect(Math.max(...ids.map(({ length }) => length))).toBeLessThanOrEqual(128);
  });
});

describe('the health of servers', () => {
  const MINUTE = 60_000;
  const seen = (health: Partial<McpHealth> = {}): Workgroup => ({
    ...workgroupOf(),
    mcpHealth: new Map([['docs', { healthy: true, checkedAt: NOW, phase: '2A', ...health }]]),
  });

  it.each([
    [true, 'use'],
    [false, 'skip'],
  ])('healthy: %s, is reported for all, in the recorded phase', (healthy, action) => {
    const before = workgroupOf();
    const decision = decideReportMcpHealth(before, { ...KEY, server: 'docs', healthy }, NOW);
    const payload = { server: 'docs', healthy, phase: '2A' };
    const answer = { server: 'docs', action, reason: 'CACHED', checkedAt: TIME };
    expect(decision).toEqual({ events: [{ type: 'palimpsest.mcp.health_reported', payload }], answer });
    const workgroup = foldAt({ workgroup: before, now: NOW }, decision.events);
    expect(mcpHealthOf({ workgroup, now: NOW }, { server: 'docs' })).toEqual(answer);
    expect(mcpHealthOf({ workgroup, now: NOW }, { server: 'other' })).toEqual({
      server: 'other',
      action: 'check',
      reason: 'UNKNOWN',
    });
  });

  it.each([
    [undefined, 10 * MINUTE - 1, 'use CACHED'],
    [undefined, 10 * MINUTE, 'check EXPIRED'],
    [undefined, 10 * MINUTE + 1, 'check EXPIRED'],
    [1, MINUTE - 1, 'use CACHED'],
    [1, MINUTE, 'check EXPIRED'],
    [1, MINUTE + 1, 'check EXPIRED'],
    [0, 0, 'check EXPIRED'],
  ])('for %p minutes, after %d ms: %s', (ttlMinutes, age, expected) => {
    const query = { server: 'docs', ...(ttlMinutes !== undefined && { ttlMinutes }) };
    const { action, reason, checkedAt } = mcpHealthOf({ workgroup: seen(), now: NOW + age }, query);
    expect([`${action} ${reason}`, checkedAt]).toEqual([expected, TIME]);
  });

  it('a failure is checked again at the boundary of a phase, a success is not', () => {
    const at = (health: Partial<McpHealth>): string =>
      mcpHealthOf({ workgroup: seen(health), now: NOW }, { server: 'docs' }).reason;
    expect(at({ healthy: false })).toBe('CACHED');
    expect(at({ healthy: false, phase: '1B' })).toBe('PHASE_BOUNDARY_RETRY');
    expect(at({ healthy: true, phase: '1B' })).toBe('CACHED');
  });
});

describe('knowledge', () => {
  const holder = lineageCalled('one', { status: 'held', fence: 7 });
  const open = (change: Partial<Workgroup> = {}): Workgroup => ({
    ...workgroupOf(holder, lineageCalled('two')),
    ...change,
  });
  const command = (change: Partial<AcceptKnowledge> = {}): AcceptKnowledge => ({
    ...KEY,
    lineageId: 'one',
    fence: 7,
    artifactId: art('n'),
    deltaHash: 'e'.repeat(64),
    action: 'batch',
    ...change,
  });
  const WAITING = [
    { writer: 'one', artifactId: art('a') },
    { writer: 'gone', artifactId: art('b') },
    { writer: 'one', artifactId: art('c') },
  ];
  const accepted = (action: string) => ({
    type: 'palimpsest.knowledge.accepted',
    payload: { writer: 'one', artifactId: art('n'), deltaHash: 'e'.repeat(64), action },
  });
  const flushed = (gate: string | null, ...writers: string[]) => ({
    type: 'palimpsest.knowledge.flushed',
    payload: { gate, writers },
  });

  it('waits for its gate', () => {
    expect(decideAcceptKnowledge(open({ knowledge: WAITING }), command(), NOW)).toEqual({
      events: [accepted('batch')],
      answer: { calls: [], waiting: 4 },
    });
  });

  it.each(['flush', 'amend', 'update'] as const)('%s takes along what its writer has waiting', (action) => {
    const before = open({ knowledge: WAITING });
    const decision = decideAcceptKnowledge(before, command({ action }), NOW);
    expect(decision).toEqual({
      events: [accepted(action), flushed(null, 'one')],
      answer: { calls: [{ writer: 'one', artifactIds: [art('a'), art('c'), art('n')] }], waiting: 1 },
    });
    const { knowledge, knownDeltas } = foldAt({ workgroup: before, now: NOW }, decision.events);
    expect([knowledge, knownDeltas]).toEqual([[WAITING[1]], ['e'.repeat(64)]]);
  });

  const full = (writerAt: (place: number) => string, count = MOST_WAITING_DELTAS) =>
    Array.from({ length: count }, (_, place) => ({
      writer: writerAt(place),
      artifactId: `art_${String(place).padStart(22, '0')}`,
    }));

  it.each([-1, 0, 1])('beside %i more than may wait makes whoever waits for longest go', (beyond) => {
    const waiting = full((place) => (place % 50 === 0 ? 'gone' : 'two'), MOST_WAITING_DELTAS + beyond);
    const before = open({ knowledge: waiting });
    const decision = decideAcceptKnowledge(before, command(), NOW);
    const called = beyond < 0 ? [] : waiting.filter(({ writer }) => writer === 'gone');
    const left = [
      ...waiting.filter((delta) => !called.includes(delta)),
      { writer: 'one', artifactId: art('n') },
    ];
    expect(decision).toEqual({
      events: [...(beyond < 0 ? [] : [flushed(null, 'gone')]), accepted('batch')],
      answer: {
        calls:
          beyond < 0 ? [] : [{ writer: 'gone', artifactIds: called.map(({ artifactId }) => artifactId) }],
        waiting: left.length,
      },
    });
    expect(foldAt({ workgroup: before, now: NOW }, decision.events).knowledge).toEqual(left);
  });

  it('waits itself where it is the one who has waited for longest that goes', () => {
    const before = open({ knowledge: full((place) => (place === 0 ? 'one' : 'two')) });
    const decision = decideAcceptKnowledge(before, command(), NOW);
    expect(decision).toMatchObject({
      events: [flushed(null, 'one'), accepted('batch')],
      answer: {
        calls: [{ writer: 'one', artifactIds: [before.knowledge[0]?.artifactId] }],
        waiting: MOST_WAITING_DELTAS,
      },
    });
    const { knowledge } = foldAt({ workgroup: before, now: NOW }, decision.events);
    expect(knowledge.at(-1)).toEqual({ writer: 'one', artifactId: art('n') });
  });

  it('is one call where a writer left a full queue behind, and none for those that follow', () => {
    let workgroup = open({ knowledge: full(() => 'gone') });
    const calls = ['n', 'o', 'p', 'q'].map((letter, place) => {
      const delta = { artifactId: art(letter), deltaHash: String(place).repeat(64) };
      const decision = decideAcceptKnowledge(workgroup, command(delta), NOW);
      if ('refusal' in decision) throw decision.refusal;
      workgroup = foldAt({ workgroup, now: NOW }, decision.events);
      return decision.answer.calls.length;
    });
    expect([calls, workgroup.knowledge.length]).toEqual([[1, 0, 0, 0], 4]);
  });

  it.each(['flush', 'amend', 'update', 'skip'] as const)('%s needs no room in a full queue', (action) => {
    const before = open({ knowledge: full(() => 'gone') });
    const { events } = decideAcceptKnowledge(before, command({ action }), NOW);
    expect(events).toEqual(action === 'skip' ? [] : [accepted(action), flushed(null, 'one')]);
  });

  it('comes to nothing where it is skipped', () => {
    expect(decideAcceptKnowledge(open({ knowledge: WAITING }), command({ action: 'skip' }), NOW)).toEqual({
      events: [],
      answer: { calls: [], waiting: 3 },
    });
  });

  it.each([
    ['by its hash', { knownDeltas: ['d'.repeat(64), 'e'.repeat(64)] }, 0],
    ['by its artifact', { knowledge: [{ writer: 'two', artifactId: art('n') }] }, 1],
  ])('comes to nothing where it is known %s', (_, known, waiting) => {
    for (const action of ['batch', 'flush'] as const) {
      expect(decideAcceptKnowledge(open(known), command({ action }), NOW)).toEqual({
        events: [],
        answer: { calls: [], waiting, duplicate: true },
      });
    }
  });

  it.each([
    ['an older fence', { fence: 6 }, 'stale_fence'],
    ['a later fence', { fence: 8 }, 'stale_fence'],
    ['a lineage that nobody holds', { lineageId: 'two', fence: 1 }, 'stale_fence'],
    ['an unknown lineage', { lineageId: 'three' }, 'not_found'],
  ])('is refused under %s, known or not', (_, change, code) => {
    for (const knownDeltas of [[], ['e'.repeat(64)]]) {
      const decision = decideAcceptKnowledge(open({ knownDeltas }), command(change), NOW);
      expect(decision).toMatchObject({ events: [], refusal: { code } });
    }
  });

  it('is refused at the instant at which the lease is over', () => {
    const until = (ms: number) => {
      const record = { ...holder.record, lease_expires_at: new Date(NOW + ms).toISOString() };
      return decideAcceptKnowledge(workgroupOf({ ...holder, record }), command(), NOW);
    };
    expect(until(1)).toMatchObject({ answer: { waiting: 1 } });
    const over = { events: [{ type: 'palimpsest.lineage.evicted' }], refusal: { code: 'stale_fence' } };
    expect(until(0)).toMatchObject(over);
    expect(until(-1)).toMatchObject(over);
  });

  it('goes in one call for each writer at a gate, whoever is gone, and once', () => {
    const before = open({ knowledge: WAITING });
    const decision = decideFlushKnowledge(before, { ...KEY, gate: 'review' }, NOW);
    expect(decision).toEqual({
      events: [flushed('review', 'one', 'gone')],
      answer: {
        calls: [
          { writer: 'one', artifactIds: [art('a'), art('c')] },
          { writer: 'gone', artifactIds: [art('b')] },
        ],
        waiting: 0,
      },
    });
    const after = foldAt({ workgroup: before, now: NOW }, decision.events);
    expect(decideFlushKnowledge(after, { ...KEY, gate: 'review' }, NOW)).toEqual({
      events: [],
      answer: { calls: [], waiting: 0 },
    });
  });

  it('is called exactly once each, whatever is accepted and flushed in between', () => {
    const step = fc.record({
      writer: fc.constantFrom('one', 'two'),
      action: fc.constantFrom('batch', 'flush', 'amend', 'gate'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let workgroup = workgroupOf(holder, { ...holder, lineageId: 'two' });
        const called: string[] = [];
        const told: string[] = [];
        for (const [place, { writer, action }] of [...steps, { writer: 'one', action: 'gate' }].entries()) {
          const artifactId = art(String.fromCharCode(97 + place));
          const deltaHash = place.toString(16).repeat(64);
          const decision =
            action === 'gate'
              ? decideFlushKnowledge(workgroup, { ...KEY, gate: 'g' }, NOW)
              : decideAcceptKnowledge(
                  workgroup,
                  command({ lineageId: writer, artifactId, deltaHash, action: action as 'batch' }),
                  NOW,
                );
          if ('refusal' in decision) throw decision.refusal;
          if (action !== 'gate') told.push(artifactId);
          called.push(...decision.answer.calls.flatMap(({ artifactIds }) => artifactIds));
          workgroup = foldAt({ workgroup, now: NOW }, decision.events);
          expect(decision.answer.waiting).toBe(workgroup.knowledge.length);
        }
        expect(called.sort()).toEqual(told.sort());
      }),
      { numRuns: 100 },
    );
  });
});

describe('the loading plan', () => {
  const PHASE = { resource: 'phase-contract', reason: 'CURRENT_PHASE', reference: '2A' };
  const plan = (query: Partial<PlanLoading>) => loadingPlanOf(workgroupOf(), { ...KEY, ...query });

  it('is the workgroup and its phase where nothing else is said', () => {
    expect(plan({})).toEqual({
      phase: '2A',
      steps: [{ resource: 'workgroup', reason: 'ACTIVE_BRIEFING', reference: 'wg' }, PHASE],
    });
  });

  it('is the capsule instead, where the worker has one', () => {
    const capsule = { capsuleHash: digest('a') };
    expect(loadingPlanOf(workgroupOf(), { ...KEY, ...capsule }, capsule).steps).toEqual([
      { resource: 'capsule', reason: 'ACTIVE_BRIEFING', reference: digest('a') },
      PHASE,
    ]);
  });

  it.each([
    ['decisions', { decisions: { project: true, architecture: true } }, ['project', 'architecture']],
    ['delegation', { delegationEligible: true }, ['execution-guide']],
    ['a relay', { relayTarget: 'relay-1' }, ['relay-reference relay-1']],
    ['compliance', { compliance: { enabled: true } }, ['compliance']],
    ['a source', { compliance: { enabled: false, userSource: 'rules.md' } }, ['compliance rules.md']],
    ['no compliance', { compliance: { enabled: false } }, []],
    ['durable output', { output: 'durable' }, ['handoff-schema']],
    ['ephemeral output', { output: 'ephemeral' }, []],
    ['a failure', { failure: { summaryResolves: false, artifact: 'a.log' } }, ['raw-log a.log']],
    ['a failure without a log', { failure: { summaryResolves: false } }, []],
    ['an explained failure', { failure: { summaryResolves: true, artifact: 'a.log' } }, []],
  ] as [string, Partial<PlanLoading>, string[]][])('with %s', (_, query, expected) => {
    const further = plan(query).steps.slice(2);
    const named = further.map(({ resource, reference }) =>
      reference === null ? resource : `${resource} ${reference}`,
    );
    expect(named).toEqual(expected);
  });
});

it('nothing is shared in a workgroup that nobody opened', () => {
  const closed = closedWorkgroup('wg');
  const capsule = {
    capsuleHash: digest('a'),
    artifactId: art('a'),
    taskId: 'T',
    phase: '2A',
    bytes: 1,
  } as const;
  const knowledge = { artifactId: art('n'), deltaHash: 'e'.repeat(64), action: 'batch' } as const;
  for (const decision of [
    decideRecordCapsule(closed, { ...KEY, ...capsule }, NOW),
    decideReportMcpHealth(closed, { ...KEY, server: 'docs', healthy: true }, NOW),
    decideAcceptKnowledge(closed, { ...KEY, ...knowledge, lineageId: 'one', fence: 1 }, NOW),
    decideFlushKnowledge(closed, { ...KEY, gate: 'review' }, NOW),
  ]) {
    const refusal = { code: 'not_found', details: { workgroupId: 'wg' } };
    expect(decision).toMatchObject({ events: [], refusal });
  }
});
