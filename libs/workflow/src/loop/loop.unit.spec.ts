import type { JsonObject } from '@palimpsest/contracts';
import { edge, node, workflow } from '../testing/definitions.js';
import { childRunIdOf, RUN_ID } from '../testing/test-run.js';
import { done, loop, LoopRun, toWorkers } from '../testing/loop-run.js';

const scripted = (...mockDecisions: readonly object[]) => ({ mockDecisions });
const eventId = (sequence: number) => `evt-${RUN_ID}-${sequence}`;
const STARTED = 'node.started supervisor';
const DECIDED = 'runOrchestrator.decided supervisor';
const PLANNED = [STARTED, DECIDED, 'node.completed supervisor'];
const CHAIN = 'core.workflowChain.event dispatch';

function settled(...parts: ConstructorParameters<typeof LoopRun>): LoopRun {
  const run = new LoopRun(...parts);
  run.settle();
  return run;
}

function error(run: LoopRun): unknown {
  return run.state.error?.code;
}

describe('the execution loop', () => {
  it('takes a turn for each decision, until one terminates', () => {
    const run = settled(loop(scripted(toWorkers('a'), done)));
    expect(run.types).toEqual([
      'run.started',
      ...PLANNED,
      'node.started dispatch',
      CHAIN,
      CHAIN,
      'node.dispatched dispatch',
      CHAIN,
      'node.completed dispatch',
      ...PLANNED,
      'run.completed',
    ]);
    expect(run.phases).toEqual(['dispatch.began a', 'dispatch.succeeded a', 'child.completed a']);
    expect(run.payloads('runOrchestrator.decided')).toEqual([
      { agentId: 'palimpsest.supervisor', iteration: 1, decision: toWorkers('a') },
      { agentId: 'palimpsest.supervisor', iteration: 2, decision: done },
    ]);
    const childRunId = childRunIdOf(5);
    expect(run.payloads('node.completed')[1]).toEqual({
      nodeId: 'dispatch',
      outputs: { childRunId, childStatus: 'completed' },
    });
    expect(run.payloads('node.dispatched')).toEqual([
      { childRunId, childWorkflowId: 'a', childStatus: 'pending' },
    ]);
  });

  it('causes each event by the one before it, and those of the dispatch by the decision', () => {
    const run = settled(loop(scripted(toWorkers('a', 'b'), done), { outputMapping: { p: 'c' } }), {
      a: { variables: { c: 1 } },
      b: { variables: { c: 2 } },
    });
    const decision = eventId(2);
    const of = (place: number) => run.log[place];
    expect(
      run.log.slice(4, 18).map(({ type, payload, causationId }) => [payload['phase'] ?? type, causationId]),
    ).toEqual([
      ['node.started', decision],
      ['dispatch.began', decision],
      ['dispatch.succeeded', eventId(5)],
      ['node.dispatched', decision],
      ['child.completed', eventId(6)],
      ['variable.changed', eventId(8)],
      ['output.harvested', eventId(8)],
      ['dispatch.began', decision],
      ['dispatch.succeeded', eventId(11)],
      ['node.dispatched', decision],
      ['child.completed', eventId(12)],
      ['variable.changed', eventId(14)],
      ['output.harvested', eventId(14)],
      ['node.completed', decision],
    ]);
    expect(of(10)?.payload).toEqual({
      phase: 'output.harvested',
      workerId: 'a',
      parentRunId: RUN_ID,
      childRunId: childRunIdOf(5),
      harvestedKeys: ['p'],
    });
    expect(run.state.variables).toEqual({ p: 2 });
  });

  it('ends without a dispatch where the first decision terminates', () => {
    const run = settled(loop(scripted(done)));
    expect(run.types).toEqual(['run.started', ...PLANNED, 'node.skipped dispatch', 'run.completed']);
  });

  it('knows an empty configuration, and terminates where a script is exhausted', () => {
    const empty = settled(loop({}));
    expect(empty.phases[0]).toBe('dispatch.began conformance-noop');
    const decisions = (run: LoopRun) =>
      run.payloads('runOrchestrator.decided').map(({ decision }) => decision);
    expect(decisions(empty)[1]).toMatchObject({ kind: 'terminate' });
    const exhausted = settled(loop({ mockDispatchPlan: [toWorkers('a')] }));
    expect(decisions(exhausted)).toEqual([toWorkers('a'), { kind: 'terminate', reason: 'script-exhausted' }]);
    expect(exhausted.status).toBe('completed');
  });

  it('names its agent: of the node, of the configuration, or its own', () => {
    const agent = { agentId: 'ctx.planner', modelClass: 'reasoning' };
    const named = workflow([
      node('supervisor', 'orchestrator.supervisor', { agent, config: scripted(done) }),
    ]);
    expect(settled(named).state.loop?.agent).toEqual(agent);
    expect(settled(loop({ ...scripted(done), agentId: 'mine.own' })).state.loop?.agent).toEqual({
      agentId: 'mine.own',
    });
  });

  it('holds back what comes after it until it is over', () => {
    const definition = loop(scripted(toWorkers('a'), done));
    const after = workflow(
      [node('report'), ...definition.nodes, node('last')],
      [...definition.edges, edge('supervisor', 'report'), edge('dispatch', 'last')],
    );
    const run = settled(after);
    expect(run.status).toBe('completed');
    expect(run.types.indexOf('node.started report')).toBeGreaterThan(run.types.lastIndexOf(DECIDED));
    expect(run.types.indexOf('node.started last')).toBeGreaterThan(run.types.lastIndexOf(DECIDED));
  });

  it('evaluates the conditions of its edges anew in each turn', () => {
    const { nodes } = loop(scripted(toWorkers('a'), toWorkers('b'), done));
    const isFor = (worker: string) => `nodes.supervisor.decision.nextWorkerIds[0] == '${worker}'`;
    const condition = { type: 'expression', expression: isFor('a') };
    const ends = { type: 'expression', expression: isFor('b') };
    const run = settled(
      workflow(
        [...nodes, node('after')],
        [
          edge('supervisor', 'dispatch', { condition }),
          edge('dispatch', 'supervisor'),
          edge('supervisor', 'after', { condition: ends }),
        ],
      ),
    );
    expect(run.phases).toEqual(['dispatch.began a', 'dispatch.succeeded a', 'child.completed a']);
    expect(run.payloads('node.skipped').map(({ nodeId }) => nodeId)).toEqual(['dispatch']);
    expect([run.status, run.types.includes('node.completed after')]).toEqual(['completed', true]);
  });

  it('goes once through a supervisor and a dispatch that are no cycle', () => {
    const { nodes, edges } = loop(scripted(toWorkers('a'), done));
    const run = settled(workflow(nodes, edges.slice(0, 1)));
    expect([run.status, run.payloads('runOrchestrator.decided').length]).toEqual(['completed', 1]);
  });

  it("asks a model's planner for a decision, and takes it as its own", () => {
    const run = new LoopRun(loop({ prompt: 'Plan.' }));
    expect(run.settle().effect).toEqual({
      kind: 'decide',
      nodeId: 'supervisor',
      iteration: 1,
      agent: { agentId: 'palimpsest.supervisor' },
      config: { prompt: 'Plan.' },
      inputs: {},
    });
    const decided = { kind: 'decided', agentId: 'palimpsest.supervisor' } as const;
    run.planned.set(1, { ...decided, iteration: 1, decision: toWorkers('a') as JsonObject });
    expect(run.settle().effect).toMatchObject({ kind: 'decide', iteration: 2 });
    run.planned.set(2, { ...decided, iteration: 2, decision: done });
    run.settle();
    expect(run.status).toBe('completed');
  });

  it('fails where a planner cannot decide, and where it decides what is no decision', () => {
    const unable = new LoopRun(loop({ prompt: 'Plan.' }));
    unable.planned.set(1, { kind: 'undecided', iteration: 1, error: { code: 'no_model', message: 'none' } });
    unable.settle();
    expect(error(unable)).toBe('no_model');
    const other = new LoopRun(loop({ prompt: 'Plan.' }));
    other.planned.set(1, { kind: 'decided', iteration: 1, agentId: 'somebody.else', decision: done });
    other.settle();
    expect(other.state.error).toMatchObject({ code: 'validation_error', details: { field: 'agentId' } });
    expect(other.payloads('runOrchestrator.decided')).toEqual([]);
  });

  it.each<[object, string]>([
    [{ kind: 'escalate' }, 'decision.kind'],
    [{ kind: 'next-worker', nextWorkerIds: [] }, 'decision.nextWorkerIds'],
    [{ kind: 'next-worker', nextWorkerIds: [''] }, 'decision.nextWorkerIds.0'],
    [{ kind: 'next-worker', nextWorkerIds: ['a'], stray: 1 }, 'decision'],
    [{ kind: 'next-worker', nextWorkerIds: ['a'], confidence: 2 }, 'decision.confidence'],
    [{ kind: 'ask-user', prompt: '' }, 'decision.prompt'],
    [{ kind: 'terminate', successCriteria: [{ key: 'k' }] }, 'decision.successCriteria.0.met'],
  ])('refuses %j as a decision', (decision, field) => {
    const run = settled(loop(scripted(decision)));
    expect(run.state.error).toMatchObject({ code: 'validation_error', details: { field } });
    expect(run.types).not.toContain(DECIDED);
  });

  it('refuses a decision that is too large', () => {
    const run = settled(
      loop({ ...scripted(), mockDecisions: [{ kind: 'ask-user', prompt: 'é'.repeat(9000) }] }),
    );
    expect(run.state.error).toMatchObject({ code: 'validation_error', details: { field: 'decision' } });
  });
});

describe('bounds of the loop', () => {
  const endless = scripted(...new Array<object>(60).fill(toWorkers('a')));

  it.each([
    [loop(endless), {}, 50],
    [loop(endless), { maxLoopIterations: 2 }, 2],
    [loop(endless, { iterationCap: 3 }), {}, 3],
  ])('end it: case %#', (definition, configurable, limit) => {
    const run = settled(definition, {}, { configurable });
    expect(run.payloads('cap.breached')).toEqual([{ kind: 'loop-iterations', limit, observed: limit + 1 }]);
    expect(error(run)).toBe('loop_limit_exceeded');
    expect(run.types.slice(-2)).toEqual(['cap.breached', 'run.failed']);
    expect(run.children.size).toBe(limit);
  });

  it('do not end it where it terminates in time, and are no loopback limit', () => {
    const plan = scripted(...new Array<object>(6).fill(toWorkers('a')), done);
    const settings = { maxLoopbackIterations: 2 };
    const run = settled(loop(plan, {}, { settings }), {}, { configurable: { maxLoopIterations: 7 } });
    expect([run.status, run.state.loop?.iteration]).toEqual(['completed', 7]);
  });
});

describe('a dispatch', () => {
  it('without a decision fails', () => {
    const run = settled(workflow([node('dispatch', 'dispatch')]));
    expect(error(run)).toBe('no_pending_decision');
  });

  it('that takes one worker refuses several, and starts none', () => {
    const run = settled(loop(scripted(toWorkers('a', 'b')), { fanOutPolicy: 'reject' }));
    expect([error(run), run.phases]).toEqual(['fan_out_unsupported', []]);
    expect(run.log.find(({ type }) => type === 'node.failed')?.causationId).toBe(eventId(2));
  });

  it('fails with a worker that cannot be started', () => {
    const refused = { code: 'unknown_child_workflow', message: 'unknown' };
    const run = settled(loop(scripted(toWorkers('a', 'b'))), { a: { refused } });
    expect([error(run), run.phases]).toEqual([
      'unknown_child_workflow',
      ['dispatch.began a', 'dispatch.failed a'],
    ]);
    expect(run.payloads('core.workflowChain.event')[1]).toEqual({
      phase: 'dispatch.failed',
      workerId: 'a',
      parentRunId: RUN_ID,
      error: refused,
    });
    expect(run.state.children).toEqual([]);
  });

  it.each([
    ['failed', 'child_failed'],
    ['cancelled', 'child_cancelled'],
  ] as const)('fails with a child that %s, harvests nothing and starts no other', (status, code) => {
    const childError = { code: 'own_code', message: 'broken' };
    const fate = { status, variables: { c: 1 }, ...(status === 'failed' && { error: childError }) };
    const run = settled(loop(scripted(toWorkers('a', 'b')), { outputMapping: { p: 'c' } }), { a: fate });
    expect([error(run), run.phases.at(-1), run.children.size]).toEqual([code, `child.${status} a`, 1]);
    expect(run.state.variables).toEqual({});
    expect(run.payloads('core.workflowChain.event').at(-1)).toMatchObject({
      error: status === 'failed' ? childError : { code: 'child_cancelled' },
    });
  });

  it('may have its failure handled, which ends the loop', () => {
    const { nodes, edges } = loop(scripted(toWorkers('a')));
    const definition = workflow(
      [...nodes, node('mend')],
      [...edges, edge('dispatch', 'mend', { triggerRule: 'any_failed' })],
    );
    const run = settled(definition, { a: { status: 'failed' } });
    expect([run.status, run.types.includes('node.completed mend')]).toEqual(['completed', true]);
  });

  it('gives each worker what its mapping takes as it starts, and what is not there not at all', () => {
    const dispatch = {
      inputMapping: { x: 'byDefault', y: 'missing' },
      outputMapping: { shared: 'output', none: 'missing' },
      perWorkerInputMappings: { b: { input: 'shared' } },
      perWorkerOutputMappings: { b: {} },
    };
    const definition = loop(scripted(toWorkers('a', 'b'), done), dispatch, {
      variables: [{ name: 'byDefault', type: 'string', defaultValue: 'd' }],
    });
    const run = settled(definition, { a: { variables: { output: 'hello', byDefault: 'no' } } });
    expect([...run.children.values()].map(({ workerId, inputs }) => [workerId, inputs])).toEqual([
      ['a', { x: 'd' }],
      ['b', { input: 'hello' }],
    ]);
    expect(
      run.payloads('core.workflowChain.event').filter(({ phase }) => phase === 'output.harvested'),
    ).toEqual([expect.objectContaining({ workerId: 'a', harvestedKeys: ['shared'] })]);
    expect(run.state.variables).toEqual({ byDefault: 'd', shared: 'hello' });
  });

  it('says that nothing was there to harvest', () => {
    const run = settled(loop(scripted(toWorkers('a'), done), { outputMapping: { p: 'missing' } }));
    expect(run.payloads('core.workflowChain.event').at(-1)).toMatchObject({ harvestedKeys: [] });
    expect(run.payloads('variable.changed')).toEqual([]);
  });

  it('fails where a value is too large to take over', () => {
    const run = settled(loop(scripted(toWorkers('a')), { outputMapping: { p: 'c' } }), {
      a: { variables: { c: 'x'.repeat(50_000) } },
    });
    expect([error(run), run.phases.at(-1)]).toEqual(['output_too_large', 'child.completed a']);
  });
});

describe('a question to the user', () => {
  const ask = { kind: 'ask-user', prompt: 'Which one?' };

  it('is asked by the dispatch, and the same turn goes on after the answer', () => {
    const run = settled(loop(scripted(ask, toWorkers('a'), done)));
    expect([run.status, run.state.loop?.iteration]).toEqual(['waiting-input', 1]);
    expect(run.payloads('interrupt.requested')[0]).toMatchObject({
      kind: 'clarification',
      data: { questions: [{ id: 'answer', question: 'Which one?' }] },
    });
    const at = run.log.length;
    run.resolve('dispatch', { answers: { answer: 'blue' } }).settle();
    expect(run.log.slice(at + 3, at + 5).map(({ type, nodeId }) => `${type} ${nodeId}`)).toEqual([
      'node.completed dispatch',
      STARTED,
    ]);
    expect(run.payloads('node.completed')[1]?.['outputs']).toEqual({ answers: { answer: 'blue' } });
    expect(run.payloads('runOrchestrator.decided').map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
    expect(run.status).toBe('completed');
  });

  it('is asked by a supervisor that has no dispatch', () => {
    const run = settled(workflow([node('s', 'orchestrator.supervisor', { config: scripted(ask) })]));
    expect(run.status).toBe('waiting-input');
    run.resolve('s', { answers: { answer: 'blue' } }).settle();
    expect(run.state.outputs).toMatchObject({ answers: { answer: 'blue' } });
  });

  it('is no conversation', () => {
    const run = settled(loop(scripted(ask), { askUserRouting: 'conversation' }));
    expect(error(run)).toBe('capability_required');
  });
});

describe('a decision of low confidence', () => {
  const unsure = (confidence: number) => ({ ...toWorkers('a'), confidence });

  it('below the floor is escalated first, and waits for an approval', () => {
    const run = settled(loop({ mockDispatchPlan: [unsure(0.3), done] }));
    expect(run.status).toBe('waiting-approval');
    expect(run.types).toEqual([
      'run.started',
      STARTED,
      'core.workflowChain.confidence-escalated supervisor',
      'interrupt.requested supervisor',
      'node.suspended supervisor',
    ]);
    expect(run.payloads('core.workflowChain.confidence-escalated')).toEqual([
      {
        confidence: 0.3,
        floor: 0.5,
        escalationKind: 'escalate',
        parentRunId: RUN_ID,
        workerId: 'a',
        originalDecision: unsure(0.3),
      },
    ]);
    run.resolve('supervisor', { action: 'accept' }).settle();
    expect(run.payloads('runOrchestrator.decided')[0]).toMatchObject({ iteration: 1, decision: unsure(0.3) });
    expect([run.status, run.state.loop?.iteration]).toEqual(['completed', 2]);
  });

  it('below the threshold is held: nothing is decided before somebody has ratified it', () => {
    const run = settled(loop({ mockPendingDecision: toWorkers('a'), mockConfidence: 0.5 }));
    expect(run.status).toBe('waiting-approval');
    expect(run.types).not.toContain(DECIDED);
    expect(run.last?.payload).toMatchObject({ reason: 'low-confidence', agentId: 'palimpsest.supervisor' });
    expect(run.payloads('interrupt.requested')[0]).toMatchObject({
      kind: 'low-confidence',
      data: { agentId: 'palimpsest.supervisor', threshold: 0.7, observed: 0.5, decision: toWorkers('a') },
    });
    expect(() => run.resolve('supervisor', { action: 'maybe' })).toThrow();
    run.resolve('supervisor', { action: 'accept' }).settle();
    expect(run.payloads('runOrchestrator.decided').map(({ iteration }) => iteration)).toEqual([1, 2]);
    expect(run.status).toBe('completed');
  });

  it.each([
    ['a decision to be ratified', { mockDispatchPlan: [unsure(0.3)] }],
    ['a decision that is held', { mockPendingDecision: toWorkers('a'), mockConfidence: 0.5 }],
    ['a question', scripted({ kind: 'ask-user', prompt: 'Which one?' })],
  ])('leaves the loop where it is until an answer comes, as %s: no time moves it', (_what, supervisor) => {
    const run = settled(loop(supervisor));
    const { log, state } = run;
    const places = log.length;
    const { effect, wakeAt } = run.advance(365 * 86_400_000);
    expect([effect, wakeAt, run.log.length, run.state]).toEqual([undefined, undefined, places, state]);
  });

  it('that is rejected fails the run', () => {
    for (const confidence of [0.3, 0.6]) {
      const run = settled(loop(scripted(unsure(confidence))));
      run.resolve('supervisor', { decision: 'rejected' }).settle();
      expect([error(run), run.types.includes(DECIDED)]).toEqual(['approval_rejected', false]);
    }
  });

  it.each([
    [0.5, {}, 'low-confidence'],
    [0.7, {}, undefined],
    [0.69, {}, 'low-confidence'],
    [0.6, { escalationThreshold: 0.6 }, undefined],
    [0.75, { escalationThreshold: 0.8 }, 'low-confidence'],
    [0.49, { escalationThreshold: 0 }, 'approval'],
  ])('of %f, with %j, asks with %s', (confidence, configurable, kind) => {
    const run = settled(loop(scripted(unsure(confidence), done)), {}, { configurable });
    expect(run.payloads('interrupt.requested').at(0)?.['kind']).toBe(kind);
  });
});

describe('a loop that is to end while a child works', () => {
  const working = () => new LoopRun(loop(scripted(toWorkers('a'))), { a: { looks: Infinity } });

  it('has its child end first', () => {
    const run = working();
    const { effect } = run.advanceWith(
      run.perform(run.advance().effect ?? { kind: 'end-children', childRunIds: [] }),
    );
    expect(effect).toEqual({ kind: 'await-child', nodeId: 'dispatch', childRunId: childRunIdOf(5) });
    run.cancel({ reason: 'enough' });
    expect(run.status).toBe('cancelling');
    expect(run.advance().effect).toEqual({ kind: 'end-children', childRunIds: [childRunIdOf(5)] });
    run.settle();
    expect(run.last).toMatchObject({ type: 'run.cancelled', payload: { reason: 'enough' } });
  });

  it('counts a child that may have been started', () => {
    const run = working();
    expect(run.advance().effect?.kind).toBe('start-child');
    run.cancel();
    expect(run.advance().effect).toEqual({ kind: 'end-children', childRunIds: [childRunIdOf(5)] });
    run.settle();
    expect(run.status).toBe('cancelled');
  });

  it('has it end, too, where the run fails', () => {
    const run = working();
    run.advanceWith(run.perform(run.advance().effect ?? { kind: 'end-children', childRunIds: [] }));
    expect(run.advance(3_600_001).wakeAt).toBeUndefined();
    expect(run.types.slice(-2)).toEqual(['cap.breached', 'node.cancelled dispatch']);
    run.settle();
    expect([run.ended, error(run)]).toEqual([[childRunIdOf(5)], 'run_timeout']);
  });
});
