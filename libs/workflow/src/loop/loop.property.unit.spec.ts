import { isTerminalEventType, type NewRunEvent, type WorkflowRunState } from '@palimpsest/contracts';
import fc from 'fast-check';
import { advance } from '../engine/advance.js';
import { foldWorkflowRun, type DatedEvent } from '../fold/fold-workflow-run.js';
import { waitingNode } from '../fold/waiting-node.js';
import { childRunIdOf, RUN_ID } from '../testing/test-run.js';
import { DECISIONS_THAT_ARE_NONE } from '../testing/bad-decisions.js';
import { node, workflow } from '../testing/definitions.js';
import { decides, done, loop, LoopRun, modelLoop, toWorkers, type Fate } from '../testing/loop-run.js';
import type { EffectOutcome } from './effects.js';

const FATES: Readonly<Record<string, Fate>> = {
  plain: {},
  rich: { variables: { out: 'value', other: 1 }, returned: `art_${'m'.repeat(32)}` },
  slow: { looks: 3, variables: { out: 'late' }, returned: `art_${'l'.repeat(32)}` },
  bad: { status: 'failed', error: { code: 'bad', message: 'bad' } },
  gone: { status: 'cancelled' },
  unknown: { refused: { code: 'unknown_child_workflow', message: 'unknown' } },
};

const workers = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('plain', 'rich', 'slow') },
    { weight: 1, arbitrary: fc.constantFrom('bad', 'gone', 'unknown') },
  ),
  { minLength: 1, maxLength: 3 },
);
const confidence = fc.option(fc.constantFrom(0.1, 0.49, 0.5, 0.69, 0.7, 1), { nil: undefined, freq: 2 });

const decisions = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(workers, confidence)
      .map(([ids, share]) => ({ ...toWorkers(...ids), ...(share !== undefined && { confidence: share }) })),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'ask-user', prompt: 'Which?' }) },
  { weight: 1, arbitrary: fc.constant(done) },
  { weight: 1, arbitrary: fc.constant({ kind: 'nonsense' }) },
);

/** Large ones have specs of their own. */
const noDecisions = fc.constantFrom(
  ...DECISIONS_THAT_ARE_NONE.filter(([name]) => !/thousand|depth|too many/.test(name)).map(
    ([, decision]) => decision,
  ),
);

const ASKING = node('asking', 'ai.callPrompt', {
  config: { prompt: 'Say it.' },
  settings: { maxRetries: 2 },
});
const modelAnswers = fc.constantFrom(
  { outputs: { said: 'it' } },
  { error: { code: 'service_unavailable', message: 'away', retryable: true } },
);

const dispatches = fc.record(
  {
    outputMapping: fc.constantFrom({ shared: 'out' }, { shared: 'out', more: 'other', none: 'missing' }),
    perWorkerOutputMappings: fc.constant({ slow: {} }),
    inputMapping: fc.constant({ in: 'shared' }),
    fanOutPolicy: fc.constantFrom('sequential', 'reject'),
    iterationCap: fc.integer({ min: 1, max: 6 }),
  },
  { requiredKeys: [] },
);

/** What may happen at each step: the process dies before its outcome is recorded, somebody else appends, or cancels the run. */
const faults = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constant('none' as const) },
    { weight: 3, arbitrary: fc.constant('lost' as const) },
    { weight: 2, arbitrary: fc.constant('other' as const) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
  ),
  { maxLength: 40 },
);

function asNew({ sequence: _sequence, timestamp: _timestamp, ...event }: DatedEvent): NewRunEvent {
  return event;
}

function tailFrom(run: LoopRun, cut: number, outcome?: EffectOutcome): readonly NewRunEvent[] {
  const state = run.log.slice(0, cut).reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
  if (!state) return [];
  const { definition, now, redact } = run;
  const request = { runId: RUN_ID, definition, state, head: cut - 1, now: new Date(now), childRunIdOf };
  return advance({ ...request, outcome, redact }).events;
}

/** Whatever part of a step was recorded, the rest of it is the same. */
function step(run: LoopRun, outcome?: EffectOutcome): ReturnType<LoopRun['advanceOnce']> {
  const before = run.log.length;
  const advanced = run.advanceOnce(run.now, outcome);
  expect(advanced.state).toEqual(run.state);
  for (let cut = before; cut < run.log.length; cut += 1) {
    expect(tailFrom(run, cut, outcome)).toEqual(run.log.slice(cut).map(asNew));
  }
  return advanced;
}

function answer(run: LoopRun, isAccepting: boolean): boolean {
  const waiting = waitingNode(run.state);
  if (!waiting) return false;
  const { nodeId, interrupt } = waiting;
  const value =
    interrupt.kind === 'clarification'
      ? { answers: { answer: 'this' } }
      : { action: isAccepting ? 'accept' : 'reject' };
  run.resolve(nodeId, value);
  return true;
}

const USAGE: NewRunEvent = {
  type: 'provider.usage',
  payload: { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 },
  schemaVersion: 1,
};

function befall(run: LoopRun, fault: string | undefined): void {
  if (fault === 'other' && !run.state.ended) run.record([USAGE]);
  if (fault === 'cancel') run.cancel({ reason: 'enough' });
}

function play(run: LoopRun, happening: readonly string[], isAccepting: boolean): void {
  let outcome: EffectOutcome | undefined;
  for (let round = 0; round < 2000 && !run.state.ended; round += 1) {
    const { effect, wakeAt } = step(run, outcome);
    outcome = effect && run.perform(effect);
    const fault = happening[round];
    befall(run, fault);
    if (fault === 'lost') outcome = undefined;
    if (effect || run.state.ended || answer(run, isAccepting)) continue;
    run.now = Math.max(run.now, wakeAt?.getTime() ?? run.now);
  }
}

const TERMINAL_PHASES = ['dispatch.failed', 'child.failed', 'child.cancelled'];

function expectSound(run: LoopRun): void {
  const ends = run.log.filter(({ type }) => isTerminalEventType(type));
  expect(ends).toEqual([run.last]);
  const made = run.payloads('runOrchestrator.decided');
  expect(made.map(({ iteration }) => iteration)).toEqual(made.map((_, place) => place + 1));
  expect(new Set(made.map(({ agentId }) => agentId)).size).toBeLessThanOrEqual(1);
  const terminating = made.filter(({ decision }) => (decision as { kind: string }).kind === 'terminate');
  expect(terminating).toEqual(terminating.length === 0 ? [] : [made.at(-1)]);
  if (run.state.ended === 'completed') expect(terminating).toHaveLength(1);
  expectCausation(run);
}

/** Each handoff goes through its machine, and each event of it names the one that it came from. */
function expectCausation(run: LoopRun): void {
  let from: DatedEvent | undefined;
  for (const event of run.log.filter(({ type }) => type === 'core.workflowChain.event')) {
    const { childRunId, workerId } = event.payload;
    const phase = event.payload['phase'] as string;
    const cause = run.log.find(({ sequence }) => `evt-${RUN_ID}-${sequence}` === event.causationId);
    const before = cause?.payload['phase'] ?? cause?.type;
    const allowed: Readonly<Record<string, string>> = {
      'dispatch.began': 'runOrchestrator.decided',
      'dispatch.succeeded': 'dispatch.began',
      'dispatch.failed': 'dispatch.began',
      'child.completed': 'dispatch.succeeded',
      'child.failed': 'dispatch.succeeded',
      'child.cancelled': 'dispatch.succeeded',
      'output.harvested': 'child.completed',
    };
    expect(before).toBe(allowed[phase]);
    expect(childRunId === undefined).toBe(phase === 'dispatch.began' || phase === 'dispatch.failed');
    if (phase === 'dispatch.began') {
      expect(from && TERMINAL_PHASES.includes(from.payload['phase'] as string)).toBeFalsy();
    } else {
      expect([cause?.payload['workerId'], from?.payload['workerId']]).toEqual([workerId, workerId]);
    }
    from = event;
  }
}

/** What a child returned is told once, between its end and what comes next, and never of a script. */
function expectReturned(run: LoopRun): void {
  const told = run.payloads('palimpsest.worker.returned').map(({ childRunId }) => childRunId);
  expect(new Set(told).size).toBe(told.length);
  for (const [place, event] of run.log.entries()) {
    if (event.type !== 'palimpsest.worker.returned') continue;
    const cause = run.log.find(({ sequence }) => `evt-${RUN_ID}-${sequence}` === event.causationId);
    expect(cause?.payload).toMatchObject({
      phase: 'child.completed',
      childRunId: event.payload['childRunId'],
    });
    expect(['child.completed', 'output.harvested']).toContain(loopEventBefore(run, place)?.payload['phase']);
  }
}

/** Beside the loop, other nodes go on. */
function loopEventBefore(run: LoopRun, place: number): DatedEvent | undefined {
  return run.log.slice(0, place).findLast(({ nodeId }) => nodeId === 'dispatch');
}

describe('an execution loop, whatever is decided and whatever happens to it', () => {
  it('ends once, keeps the order of its turns, and goes on alike from every place', () => {
    fc.assert(
      fc.property(
        fc.array(decisions, { maxLength: 6 }),
        dispatches,
        faults,
        fc.boolean(),
        (script, dispatch, happening, isAccepting) => {
          const run = new LoopRun(loop({ mockDecisions: script }, dispatch), FATES, {
            configurable: { maxLoopIterations: 5 },
          });
          play(run, happening, isAccepting);
          expectSound(run);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does so, too, where a model decides, and other models work beside it', () => {
    fc.assert(
      fc.property(
        fc.record({
          made: fc.array(
            fc.oneof({ weight: 6, arbitrary: decisions }, { weight: 1, arbitrary: noDecisions }),
            {
              maxLength: 6,
            },
          ),
          dispatch: dispatches,
          happening: faults,
          isAccepting: fc.boolean(),
          answers: fc.array(modelAnswers, { minLength: 3, maxLength: 3 }),
        }),
        ({ made, dispatch, happening, isAccepting, answers }) => {
          const { nodes, edges } = modelLoop(dispatch);
          const definition = workflow([...nodes, ASKING], edges);
          const run = new LoopRun(definition, FATES, { configurable: { maxLoopIterations: 5 } });
          decides(run, ...made, done).answers.set(ASKING.id, answers);
          play(run, happening, isAccepting);
          expectSound(run);
          expectReturned(run);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('starts each child once, however often it asks', () => {
    fc.assert(
      fc.property(workers, faults, (ids, happening) => {
        const script = [toWorkers(...ids), done];
        const run = new LoopRun(loop({ mockDecisions: script }), FATES);
        play(
          run,
          happening.filter((fault) => fault !== 'cancel'),
          true,
        );
        const begun = run.phases.filter((phase) => phase.startsWith('dispatch.began'));
        expect(run.children.size).toBe(
          begun.length - run.phases.filter((phase) => phase.startsWith('dispatch.failed')).length,
        );
      }),
      { numRuns: 100 },
    );
  });
});
