import type { Phase } from '../vocabulary/words.js';
import { acceptDelta, emptyQueue, flushAtGate, type KnowledgeQueue } from './knowledge-queue.js';
import { decideMcpHealth, type McpHealth } from './mcp-health.js';
import { planLoading, type LoadingFacts } from './plan-loading.js';

const NOTHING: LoadingFacts = {
  phase: '1A',
  briefing: null,
  decisions: { project: false, architecture: false },
  delegationEligible: false,
  relayTarget: null,
  compliance: { enabled: false, userSource: null },
  output: 'ephemeral',
  failure: null,
};
const names = (change: Partial<LoadingFacts>): readonly string[] =>
  planLoading({ ...NOTHING, ...change }).map(({ resource, reason }) => `${resource} ${reason}`);
const PHASE = 'phase-contract CURRENT_PHASE';

describe('planLoading', () => {
  it('loads everything in one order, the briefing and the phase first', () => {
    const everything: LoadingFacts = {
      phase: '2A',
      briefing: { kind: 'workgroup', reference: 'wg-2' },
      decisions: { project: true, architecture: true },
      delegationEligible: true,
      relayTarget: 'relay-1',
      compliance: { enabled: true, userSource: 'docs/rules.md' },
      output: 'durable',
      failure: { summaryResolves: false, artifact: 'knowzcode/artifacts/test.log' },
    };
    expect(planLoading(everything)).toEqual([
      { resource: 'workgroup', reason: 'ACTIVE_BRIEFING', reference: 'wg-2' },
      { resource: 'phase-contract', reason: 'CURRENT_PHASE', reference: '2A' },
      { resource: 'project', reason: 'PROJECT_DECISION', reference: null },
      { resource: 'architecture', reason: 'ARCHITECTURE_DECISION', reference: null },
      { resource: 'execution-guide', reason: 'DELEGATION_ELIGIBLE', reference: null },
      { resource: 'relay-reference', reason: 'RELAY_RESOLVED', reference: 'relay-1' },
      { resource: 'compliance', reason: 'COMPLIANCE_ENABLED', reference: 'docs/rules.md' },
      { resource: 'handoff-schema', reason: 'DURABLE_OUTPUT', reference: null },
      { resource: 'raw-log', reason: 'SUMMARY_INSUFFICIENT', reference: 'knowzcode/artifacts/test.log' },
    ]);
  });

  it.each([
    ['nothing to know', {}, [PHASE]],
    ['a capsule', { briefing: { kind: 'capsule', reference: 'c' } }, ['capsule ACTIVE_BRIEFING', PHASE]],
    [
      'a decision on architecture',
      { decisions: { project: false, architecture: true } },
      [PHASE, 'architecture ARCHITECTURE_DECISION'],
    ],
    [
      'a source of the user',
      { compliance: { enabled: false, userSource: 'x' } },
      [PHASE, 'compliance COMPLIANCE_SOURCE_GIVEN'],
    ],
    [
      'compliance without one',
      { compliance: { enabled: true, userSource: null } },
      [PHASE, 'compliance COMPLIANCE_ENABLED'],
    ],
    ['an artifact for output', { output: 'artifact' }, [PHASE]],
    ['a failure that its summary explains', { failure: { summaryResolves: true, artifact: 'x' } }, [PHASE]],
    ['a failure without a log', { failure: { summaryResolves: false, artifact: null } }, [PHASE]],
  ] as [string, Partial<LoadingFacts>, string[]][])('with %s', (_, change, expected) =>
    expect(names(change)).toEqual(expected),
  );
});

describe('decideMcpHealth', () => {
  const MINUTE = 60_000;
  const known = (healthy: boolean): McpHealth => ({ healthy, checkedAt: 0, phase: '2A' });

  it.each([
    ['nothing known', null, 0, '2A', 'check UNKNOWN'],
    ['healthy, just seen', known(true), 0, '2A', 'use CACHED'],
    ['healthy, a millisecond left', known(true), 10 * MINUTE - 1, '3', 'use CACHED'],
    ['healthy, ten minutes old', known(true), 10 * MINUTE, '2A', 'check EXPIRED'],
    ['failed, in the same phase', known(false), 10 * MINUTE - 1, '2A', 'skip CACHED'],
    ['failed, at the next phase', known(false), 1, '2B', 'check PHASE_BOUNDARY_RETRY'],
    ['failed, ten minutes ago', known(false), 10 * MINUTE, '2A', 'check EXPIRED'],
    ['a clock set back', known(true), -1, '2A', 'check EXPIRED'],
  ] as [string, McpHealth | null, number, Phase, string][])('%s', (_, ...[record, now, phase, expected]) => {
    const { action, reason } = decideMcpHealth(record, { now, phase });
    expect(`${action} ${reason}`).toBe(expected);
  });

  it('has the time it is given', () => {
    expect(decideMcpHealth(known(true), { now: MINUTE - 1, phase: '2A', ttlMinutes: 1 }).action).toBe('use');
    expect(decideMcpHealth(known(true), { now: MINUTE, phase: '2A', ttlMinutes: 1 }).action).toBe('check');
    expect(decideMcpHealth(known(true), { now: 0, phase: '2A', ttlMinutes: 0 }).action).toBe('check');
  });
});

describe('knowledge waits for the gate', () => {
  const waiting = (...writers: readonly string[]): KnowledgeQueue<number> =>
    writers.reduce<KnowledgeQueue<number>>(
      (queue, writer, delta) => acceptDelta(queue, { writer, delta }, { action: 'batch' }).queue,
      emptyQueue(),
    );

  it('one call for each writer, in order, once', () => {
    const { calls, queue } = flushAtGate(waiting('a', 'b', 'a'));
    expect(calls).toEqual([
      { writer: 'a', deltas: [0, 2] },
      { writer: 'b', deltas: [1] },
    ]);
    expect(flushAtGate(queue).calls).toEqual([]);
  });

  it.each(['flush', 'amend', 'update'] as const)(
    'unless it is to %s: then it takes along what its writer has',
    (action) => {
      const step = acceptDelta(waiting('a', 'b'), { writer: 'a', delta: 9 }, { action });
      expect(step.calls).toEqual([{ writer: 'a', deltas: [0, 9] }]);
      expect(flushAtGate(step.queue).calls).toEqual([{ writer: 'b', deltas: [1] }]);
    },
  );

  it('and what is skipped never comes', () => {
    const before = waiting('a');
    expect(acceptDelta(before, { writer: 'b', delta: 9 }, { action: 'skip' })).toEqual({
      calls: [],
      queue: before,
    });
  });
});
