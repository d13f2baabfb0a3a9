import {
  isTerminalEventType,
  type NewRunEvent,
  type WorkflowDefinition,
  type WorkflowNode,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import fc from 'fast-check';
import { checkDefinition } from '../definition/check-definition.js';
import { foldWorkflowRun, type DatedEvent } from '../fold/fold-workflow-run.js';
import { waitingNode } from '../fold/waiting-node.js';
import { edge, node, workflow } from '../testing/definitions.js';
import { childRunIdOf, RUN_ID, TestRun } from '../testing/test-run.js';
import { advance } from './advance.js';

const RULES = ['all_success', 'any_success', 'all_complete', 'none_failed', 'any_failed'] as const;

const nodeKinds = fc.oneof(
  fc.constant<Partial<WorkflowNode>>({ typeId: 'core.noop' }),
  fc.constant<Partial<WorkflowNode>>({ typeId: 'core.identity' }),
  fc.constant<Partial<WorkflowNode>>({ typeId: 'core.noop', disabled: true }),
  fc.record({ typeId: fc.constant('core.delay'), config: fc.record({ delayMs: fc.nat(5000) }) }),
  fc.record({
    typeId: fc.constant('core.fail'),
    config: fc.record({ retryable: fc.boolean() }),
    settings: fc.record({ maxRetries: fc.nat(2) }),
  }),
  fc.record({ typeId: fc.constant('core.approvalGate'), config: fc.record({ timeoutMs: fc.nat(3000) }) }),
  fc.constant<Partial<WorkflowNode>>({
    typeId: 'core.clarificationGate',
    config: { questions: [{ id: 'q1', question: 'which?' }] },
  }),
  fc.constant<Partial<WorkflowNode>>({
    typeId: 'core.interrupt',
    config: { kind: 'external-event', eventType: 'e', correlation: { id: 1 }, timeoutMs: 2000 },
  }),
);

const conditions = fc.constantFrom(
  ...new Array<undefined>(4).fill(undefined),
  { type: 'equals', left: 1, right: 1 } as const,
  { type: 'equals', left: 1, right: 2 } as const,
  { type: 'expression', expression: 'size(nodes) > 1' } as const,
  { type: 'expression', expression: 'nodes.n0.missing == 1' } as const,
);

/** Edges lead from earlier to later nodes; then the order of the nodes is mixed. */
const dags: fc.Arbitrary<WorkflowDefinition> = fc
  .array(nodeKinds, { minLength: 1, maxLength: 8 })
  .chain((kinds) =>
    fc.record({
      kinds: fc.constant(kinds),
      rules: fc.array(fc.constantFrom(...RULES), { minLength: kinds.length, maxLength: kinds.length }),
      links: fc.array(fc.tuple(fc.nat(kinds.length - 1), fc.nat(kinds.length - 1), conditions), {
        maxLength: 12,
      }),
      order: fc.shuffledSubarray([...kinds.keys()], { minLength: kinds.length }),
    }),
  )
  .map(({ kinds, rules, links, order }) => {
    const pairs = new Map(
      links
        .filter(([from, to]) => from !== to)
        .map(([a, b, when]) => [`${Math.min(a, b)}-${Math.max(a, b)}`, when]),
    );
    const edges = [...pairs].map(([pair, condition]) => {
      const [from, to] = pair.split('-').map(Number) as [number, number];
      return edge(`n${from}`, `n${to}`, {
        triggerRule: rules[to] as (typeof RULES)[number],
        ...(condition && { condition }),
      });
    });
    return workflow(
      order.map((place) => node(`n${place}`, 'noop', kinds[place])),
      edges,
    );
  });

type Move =
  | { readonly kind: 'advance'; readonly after: number }
  | { readonly kind: 'resolve'; readonly accept: boolean }
  | { readonly kind: 'cancel' };

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('advance' as const), after: fc.nat(4000) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('resolve' as const), accept: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  ),
  { maxLength: 12 },
);

const bounds = fc.record({
  maxNodeExecutions: fc.integer({ min: 1, max: 25 }),
  maxRunDurationMs: fc.integer({ min: 1, max: 60_000 }),
});

function play(run: TestRun, move: Move): void {
  if (move.kind === 'advance') advanceChecked(run, run.now + move.after);
  else if (move.kind === 'cancel') run.cancel({ reason: 'enough' });
  else answer(run, move.accept);
}

function answer(run: TestRun, accept: boolean): void {
  const waiting = waitingNode(run.state);
  if (!waiting) return;
  const values = {
    approval: { action: accept ? 'accept' : 'reject' },
    clarification: { answers: { q1: 'blue' } },
    'external-event': { id: 1 },
    custom: null,
    'low-confidence': null,
  };
  const before = run.log.length;
  run.resolve(waiting.nodeId, values[waiting.interrupt.kind]);
  // The rest follows from the first of its events.
  const events = advancedFrom(run, before + 1);
  const rest = run.log.slice(before + 1).map(asNew);
  expect(events.slice(0, rest.length)).toEqual(rest);
}

/** The events that come next, and what is left to do after them, are the same at once and again. */
function advanceChecked(run: TestRun, at: number): void {
  const before = run.log.length;
  const { state } = run.advanceOnce(at);
  expect(state).toEqual(run.state);
  for (let cut = before; cut < run.log.length; cut += 1) {
    expect(advancedFrom(run, cut)).toEqual(run.log.slice(cut).map(asNew));
  }
  expect(run.advanceOnce(at).events).toEqual([]);
}

/** What comes after the first so many events of the log. */
function advancedFrom(run: TestRun, cut: number): readonly NewRunEvent[] {
  const prefix = run.log.slice(0, cut);
  const state = prefix.reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
  const { definition, now, redact } = run;
  if (!state) return [];
  const at = { head: cut - 1, now: new Date(now) };
  return advance({ runId: RUN_ID, definition, state, ...at, childRunIdOf, redact }).events;
}

function asNew({ sequence: _sequence, timestamp: _timestamp, ...event }: DatedEvent) {
  return event;
}

/** Time goes on, and everybody answers, until the run ends. */
function finish(run: TestRun): void {
  for (let round = 0; round < 200 && !run.state.ended; round += 1) {
    const advanced = run.advanceOnce();
    if (advanced.events.length > 0 || run.state.ended) continue;
    if (waitingNode(run.state)) answer(run, true);
    else run.now = Math.max(run.now, advanced.wakeAt?.getTime() ?? run.now);
  }
}

function expectSound(run: TestRun): void {
  expect(run.state.ended).toBeDefined();
  const ends = run.log.filter(({ type }) => isTerminalEventType(type));
  expect(ends).toEqual([run.last]);
  const started = new Set<string>();
  for (const { type, nodeId = '' } of run.log) {
    if (type === 'node.started') started.add(nodeId);
    if (type === 'node.completed' || type === 'node.failed') expect(started).toContain(nodeId);
  }
  expect(run.payloads('node.started').length).toBeLessThanOrEqual(run.state.bounds.maxNodeExecutions);
  for (const id of Object.keys(run.state.nodes)) {
    expect(['running', 'suspended', 'retrying']).not.toContain(run.state.nodes[id]?.status);
  }
}

describe('a run of any workflow, whatever happens to it', () => {
  it('ends once, and goes on alike from every place', () => {
    fc.assert(
      fc.property(dags, moves, bounds, (definition, played, limits) => {
        expect(checkDefinition(definition)).toEqual([]);
        const run = new TestRun(definition, { bounds: limits });
        for (const move of played) play(run, move);
        finish(run);
        expectSound(run);
      }),
      { numRuns: 120 },
    );
  });

  it('gives the same payloads whichever run it is, and whenever', () => {
    fc.assert(
      fc.property(dags, fc.nat(100_000), (definition, later) => {
        const [one, other] = [new TestRun(definition), new TestRun(definition)];
        other.now = later;
        for (const run of [one, other]) {
          run.advance();
        }
        const shown = (run: TestRun) =>
          run.log.map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));
        expect(shown(one)).toEqual(shown(other));
      }),
      { numRuns: 50 },
    );
  });
});
