import { eventIdOf, type WorkflowDefinition } from '@palimpsest/contracts';
import { recordedOutcome } from '../effects/recorded-outcome.js';
import { node, workflow } from '../testing/definitions.js';
import { decides, loop, LoopRun, toWorkers } from '../testing/loop-run.js';
import { childRunIdOf, TestRun } from '../testing/test-run.js';
import { advance, type Advanced } from './advance.js';

const SOURCE = 'source';

/** From where a run stands, as its replay: once, or with what its source did not record. */
function replayed(
  run: TestRun,
  runId: string,
  at: number,
  more: { readonly settles?: boolean } = {},
): Advanced {
  const { definition, redact, state } = run;
  const common = { runId, recordedAs: SOURCE, definition, now: new Date(at), childRunIdOf, redact };
  const first = advance({ ...common, state, head: run.log.length - 1 });
  if (!more.settles || !first.effect) return first;
  const outcome = recordedOutcome(first.effect, { definition, sourceRunId: SOURCE });
  const head = run.log.length - 1 + first.events.length;
  const second = advance({ ...common, state: first.state, head, outcome });
  return { ...second, events: [...first.events, ...second.events] };
}

const told = ({ events }: Advanced) => events.map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));

describe('what a replay records behind its source', () => {
  it('names the run as its source does, and has its causes in its own log', () => {
    const run = new TestRun(loop({ mockDecisions: [toWorkers('worker')] }));
    const one = replayed(run, 'one', 0, { settles: true });
    const other = replayed(run, 'other', 0, { settles: true });
    expect(told(one)).toEqual(told(other));
    const failed = one.events.find(({ payload }) => payload['phase'] === 'dispatch.failed');
    expect(failed).toMatchObject({
      payload: { parentRunId: SOURCE, error: { code: 'replay_source_missing' } },
      causationId: eventIdOf('one', run.log.length + one.events.findIndex(isBegun)),
    });
    expect(one.status).toBe('failed');
  });

  it('says so of an escalation, too', () => {
    const decision = { ...toWorkers('worker'), confidence: 0.1 };
    const { events } = replayed(new TestRun(loop({ mockDecisions: [decision] })), 'one', 0);
    expect(events.find(({ type }) => type.endsWith('confidence-escalated'))?.payload).toMatchObject({
      parentRunId: SOURCE,
    });
  });

  it.each([
    [{ outputMapping: { taken: 'left' } }, {}],
    [{}, { prompt: 'Plan.' }],
  ])('does not take for nothing what a child left that it cannot see: %j %j', (dispatch, planned) => {
    const config = 'prompt' in planned ? planned : { mockDecisions: [toWorkers('worker')] };
    const definition = loop(config, dispatch);
    const live = decides(
      new LoopRun(definition, { worker: { variables: { left: 1 } } }),
      toWorkers('worker'),
    );
    live.settle();
    const end = live.log.findIndex(({ payload }) => payload['phase'] === 'child.completed');
    const run = new TestRun(definition);
    run.record(live.log.slice(1, end + 1));
    const { events, status } = replayed(run, 'one', 0, { settles: true });
    expect(status).toBe('failed');
    expect(events[0]).toMatchObject({
      type: 'node.failed',
      nodeId: 'dispatch',
      payload: { error: { code: 'replay_source_missing' } },
    });
  });

  it('does not measure by how much its duration exceeds the bound', () => {
    const definition: WorkflowDefinition = workflow([node('wait', 'delay', { config: { delayMs: 60_000 } })]);
    const run = new TestRun(definition, { bounds: { maxRunDurationMs: 1000 } });
    run.advance();
    const breached = (at: number) => told(replayed(run, 'one', at))[0];
    expect(breached(1001)).toMatchObject({ payload: { limit: 1000, observed: 1001 } });
    expect(breached(5000)).toEqual(breached(1001));
    expect(run.advance(5000).events[0]).toMatchObject({ payload: { observed: 5000 } });
  });
});

function isBegun({ payload }: Advanced['events'][number]): boolean {
  return payload['phase'] === 'dispatch.began';
}
