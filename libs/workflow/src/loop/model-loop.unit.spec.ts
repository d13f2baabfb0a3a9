import { DECISIONS_THAT_ARE_NONE } from '../testing/bad-decisions.js';
import { edge, node, workflow } from '../testing/definitions.js';
import { childRunIdOf, RUN_ID } from '../testing/test-run.js';
import {
  decides,
  done,
  loop,
  LoopRun,
  modelLoop,
  RETURNED_COUNTS,
  toWorkers,
  type Fate,
} from '../testing/loop-run.js';
import { modelLoopOf } from './model-loop.js';

const FOUND = `art_${'f'.repeat(32)}`;
const eventId = (sequence: number) => `evt-${RUN_ID}-${sequence}`;

function played(fates: Readonly<Record<string, Fate>>, { dispatch = {}, workers = ['a'] } = {}): LoopRun {
  const run = new LoopRun(modelLoop(dispatch), fates);
  decides(run, toWorkers(...workers), done).settle();
  return run;
}

const returned = (run: LoopRun) => run.payloads('palimpsest.worker.returned');

describe('a loop that a model decides', () => {
  it('is one without a script', () => {
    expect(modelLoopOf(modelLoop())).toEqual({ supervisorId: 'supervisor', dispatchId: 'dispatch' });
    for (const script of [{}, { mockDecisions: [] }, { mockPendingDecision: done }])
      expect(modelLoopOf(loop(script))).toBeUndefined();
    expect(modelLoopOf(workflow([node('dispatch', 'dispatch')]))).toBeUndefined();
  });

  it('reads what its workers returned, after what was taken over and before the next of them', () => {
    const fate = { returned: FOUND, variables: { c: 1 } };
    const run = played(
      { a: fate, b: fate },
      { dispatch: { outputMapping: { p: 'c' } }, workers: ['a', 'b'] },
    );
    const events = run.log.slice(5, 20);
    expect(events.map(({ type, payload, causationId }) => [payload['phase'] ?? type, causationId])).toEqual([
      ['dispatch.began', eventId(2)],
      ['dispatch.succeeded', eventId(5)],
      ['node.dispatched', eventId(2)],
      ['child.completed', eventId(6)],
      ['variable.changed', eventId(8)],
      ['output.harvested', eventId(8)],
      ['palimpsest.worker.returned', eventId(8)],
      ['dispatch.began', eventId(2)],
      ['dispatch.succeeded', eventId(12)],
      ['node.dispatched', eventId(2)],
      ['child.completed', eventId(13)],
      ['variable.changed', eventId(15)],
      ['output.harvested', eventId(15)],
      ['palimpsest.worker.returned', eventId(15)],
      ['node.completed', eventId(2)],
    ]);
    expect(events[6]).toMatchObject({ nodeId: 'dispatch', counts: RETURNED_COUNTS });
    expect(events[6]?.payload).toEqual({ workerId: 'a', childRunId: childRunIdOf(5), artifactId: FOUND });
    expect(run.status).toBe('completed');
  });

  it('reads nothing of a worker that returned nothing, or that failed', () => {
    expect(returned(played({}))).toEqual([]);
    const failed = played({ a: { status: 'failed', returned: FOUND } });
    expect([returned(failed), failed.status]).toEqual([[], 'failed']);
  });

  it('asks for a child that has ended again, as long as it may have outputs', () => {
    const run = decides(new LoopRun(modelLoop(), { a: { returned: FOUND } }), toWorkers('a'), done);
    run.settle();
    const cut = run.log.findIndex(({ payload }) => payload['phase'] === 'child.completed') + 1;
    const other = new LoopRun(modelLoop());
    other.log.length = 0;
    other.record(run.log.slice(0, cut));
    expect(other.advance().effect).toEqual({
      kind: 'await-child',
      nodeId: 'dispatch',
      childRunId: childRunIdOf(5),
    });
  });

  it('has a log of its own kind alone: a script reads nothing', () => {
    const run = new LoopRun(loop({ mockDecisions: [toWorkers('a'), done] }), {
      a: { returned: FOUND },
    });
    run.settle();
    expect([run.status, returned(run)]).toEqual(['completed', []]);
  });

  it('gives no outcome of another turn a meaning', () => {
    const run = new LoopRun(modelLoop());
    run.advance();
    const stale = { kind: 'decided', agentId: 'palimpsest.supervisor', decision: done } as const;
    for (const iteration of [0, 2])
      expect(run.advanceWith({ ...stale, iteration })).toMatchObject({
        events: [],
        effect: { iteration: 1 },
      });
  });

  it('asks again where a model was not there, as often as its node may be repeated', () => {
    const { nodes, edges } = modelLoop();
    const patient = nodes.map((each) => ({ ...each, settings: { maxRetries: 1 } }));
    const run = new LoopRun(workflow(patient, edges));
    const error = { code: 'service_unavailable', message: 'away', retryable: true };
    run.planned.set(1, { kind: 'undecided', iteration: 1, error });
    expect(run.settle().wakeAt).toEqual(new Date(1000));
    run.now = 1000;
    expect(run.settle().status).toBe('failed');
    expect(run.payloads('node.retried')).toHaveLength(1);
    expect(run.state.error).toMatchObject({ code: 'service_unavailable' });
  });
});

describe('a decision of a model that is none', () => {
  it.each(DECISIONS_THAT_ARE_NONE)('%s fails its node, and nothing is decided', (_name, decision) => {
    const run = decides(new LoopRun(modelLoop()), decision);
    run.settle();
    expect(run.types.slice(-2)).toEqual(['node.failed supervisor', 'run.failed']);
    expect(run.state.error).toMatchObject({ code: 'validation_error' });
    expect(run.types).not.toContain('runOrchestrator.decided supervisor');
    expect(JSON.stringify(run.last)).not.toContain('private');
  });

  it('may have its failure handled', () => {
    const { nodes, edges } = modelLoop();
    const mended = workflow(
      [...nodes, node('mend')],
      [...edges, edge('supervisor', 'mend', { triggerRule: 'any_failed' })],
    );
    const run = decides(new LoopRun(mended), { kind: 'nonsense' });
    run.settle();
    expect(run.types).toContain('node.completed mend');
    expect(run.state.ended).toBeDefined();
  });
});
