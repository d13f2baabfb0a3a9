import { handOffUntil, type LoopCall, type WireReply } from '@palimpsest/adapter-model/testing';
import { startAllInOne, type AllInOneDeployment } from './deployment.js';
import { startLoopBench, LOOP_BUDGET, type LoopBench } from './loop/loop-bench.js';
import { inspectLoop, windowOf } from './loop/loop-faults.js';
import {
  iterationsOf,
  loopEvents,
  ofType,
  runLoop,
  startLoop,
  untilEnd,
  untilStatus,
} from './loop/loop-run.js';
import { register, reporterDefinition } from './loop/loop-workflows.js';

const WORKER = 'conformance-noop';
/** What a model may say and nobody else may repeat. */
const SAID = 'zanzibar-kestrel-4711';

type Kind = readonly [name: string, reply: WireReply, code: string];

const text = (said: string, finish: 'stop' | 'length' = 'stop'): WireReply => ({
  kind: 'text',
  text: said,
  finish,
});

const TERMINAL_ANSWERS: readonly Kind[] = [
  ['no JSON', text(`Well, ${SAID}.`), 'envelope_invalid'],
  ['empty', text(''), 'envelope_invalid'],
  ['JSON that is no decision', text(JSON.stringify({ kind: SAID })), 'envelope_invalid'],
  ['a decision that lacks its workers', text('{"kind":"next-worker"}'), 'envelope_invalid'],
  ['over-long', text(JSON.stringify({ kind: 'terminate', reason: SAID.repeat(5000) })), 'envelope_invalid'],
  [
    'a worker that is not on the list',
    text('{"kind":"next-worker","nextWorkerIds":["x"]}'),
    'envelope_invalid',
  ],
  ['cut off', text(`{"kind":"terminate","reason":"${SAID}`, 'length'), 'envelope_truncation_unrecoverable'],
  ['a refusal', { kind: 'refusal', text: SAID }, 'envelope_refusal'],
  ['a filter', { kind: 'refusal', category: 'content_filter', text: SAID }, 'envelope_refusal'],
  ['401', { kind: 'error', status: 401, message: SAID }, 'model_request_refused'],
  ['400', { kind: 'error', status: 400, message: SAID }, 'model_request_refused'],
];

const PASSING: readonly Kind[] = [
  ['429', { kind: 'error', status: 429, message: SAID, headers: { 'retry-after': '0' } }, 'rate_limited'],
  ['500', { kind: 'error', status: 500, message: SAID }, 'service_unavailable'],
  ['a body that is no answer', { kind: 'unreadable', body: `<html>${SAID}` }, 'service_unavailable'],
  ['a connection that breaks', { kind: 'truncated' }, 'service_unavailable'],
  ['a connection that is reset', { kind: 'reset' }, 'service_unavailable'],
  ['silence', { kind: 'hang' }, 'service_unavailable'],
];

describe('loops that a model decides, all in one process', () => {
  let bench: LoopBench<AllInOneDeployment>;
  let loops = 0;
  beforeAll(async () => {
    bench = await startLoopBench(startAllInOne);
  });
  afterAll(() => bench?.stop());

  const nameOf = () => `answers-${(loops += 1)}`;

  /** A loop of three turns, in which calls of the second go wrong. */
  async function disturbed(reply: WireReply, isHit: (call: LoopCall) => boolean, settings = {}) {
    const workflowId = nameOf();
    await bench.addLoop(
      { workflowId, workers: [WORKER], settings },
      {
        decide: handOffUntil(3, WORKER),
        disturb: (call) => (call.turn === 2 && isHit(call) ? reply : undefined),
      },
    );
    return runLoop(bench.api, workflowId);
  }

  it.each(TERMINAL_ANSWERS)('end where the answer is no decision: %s', async (_name, reply, code) => {
    const { status, error, events } = await disturbed(reply, () => true);
    expect({ status, code: error?.code, retryable: error?.retryable ?? false }).toEqual({
      ...{ status: 'failed', code },
      retryable: false,
    });
    expect(iterationsOf(events)).toEqual([1]);
    expect(ofType(events, 'node.failed').map(({ nodeId }) => nodeId)).toEqual(['supervisor']);
    expect(JSON.stringify([events, error])).not.toContain(SAID);
  });

  it.each(PASSING)('end where the provider stays away: %s', async (_name, reply, code) => {
    const { status, error, events } = await disturbed(reply, () => true);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code });
    expect(ofType(events, 'node.failed')[0]?.payload.error).toMatchObject({ code, retryable: true });
    expect(JSON.stringify([events, error])).not.toContain(SAID);
  });

  it.each([...TERMINAL_ANSWERS.filter(isRepaired), ...PASSING])(
    'go on where the next answer fits: %s',
    async (_name, reply) => {
      const run = await disturbed(reply, ({ attempt }) => attempt === 0);
      expect(run.status).toBe('completed');
      expect(iterationsOf(run.events)).toEqual([1, 2, 3]);
    },
  );

  it('are tried again by the rules of nodes where the provider stays away', async () => {
    const [, reply] = PASSING[1] as Kind;
    const run = await disturbed(reply, ({ attempt }) => attempt < 3, { maxRetries: 2 });
    expect(run).toMatchObject({ status: 'completed' });
    expect(iterationsOf(run.events)).toEqual([1, 2, 3]);
    expect(ofType(run.events, 'node.retried').length).toBeGreaterThan(0);
  });

  it('bill every answer, repairs too, each once', async () => {
    const [, reply] = TERMINAL_ANSWERS[0] as Kind;
    const { events } = await disturbed(reply, ({ attempt }) => attempt < 2);
    expect(iterationsOf(events)).toEqual([1, 2, 3]);
    expect(ofType(events, 'provider.usage')).toHaveLength(1 + 3 + 1);
  });

  it('never ask for a confidence', () => {
    const asked = bench.brain.of('decision');
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter(({ request }) => request.bodyText.includes('confidence'))).toEqual([]);
  });

  it('fail where the worker is nobody', async () => {
    const workflowId = nameOf();
    await bench.addLoop({ workflowId }, { decide: handOffUntil(3, 'nobody-knows-me') });
    const { status, error, events } = await runLoop(bench.api, workflowId);
    expect(status).toBe('failed');
    expect(error?.code).toBe('unknown_child_workflow');
    const phases = ofType(events, 'core.workflowChain.event').map(({ payload }) => payload.phase as string);
    expect(phases).toEqual(['dispatch.began', 'dispatch.failed']);
  });

  it('fail where several workers are named and one is taken', async () => {
    const workflowId = nameOf();
    const nextWorkerIds = [WORKER, WORKER];
    await bench.addLoop(
      { workflowId, dispatch: { fanOutPolicy: 'reject' } },
      { decide: () => ({ kind: 'next-worker', nextWorkerIds }) },
    );
    const { status, error, events } = await runLoop(bench.api, workflowId);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'fan_out_unsupported' });
    expect(ofType(events, 'core.workflowChain.event')).toEqual([]);
  });

  it('leave out what is mapped and is not there', async () => {
    const [workflowId, worker] = [nameOf(), `reporter-${loops}`];
    await register(bench.api, reporterDefinition(worker, 'as ever'));
    await bench.addLoop(
      {
        workflowId,
        dispatch: { inputMapping: { report: 'missing' }, outputMapping: { taken: 'nothing', had: 'report' } },
      },
      { decide: handOffUntil(2, worker) },
    );
    const runId = await startLoop(bench.api, workflowId);
    expect(await untilEnd(bench.api, runId)).toMatchObject({ status: 'completed' });
    const { variables } = await bench.api.ok(bench.api.get(`/v1/runs/${runId}`));
    expect(variables).toEqual({ had: 'as ever' });
  });

  it('end where they hand off to themselves, some levels down', async () => {
    const workflowId = nameOf();
    await bench.addLoop({ workflowId }, { decide: handOffUntil(3, workflowId) });
    const { status, events } = await runLoop(bench.api, workflowId);
    expect(status).toBe('failed');
    let log = events;
    let levels = 1;
    for (let child = childOf(log); child !== undefined; child = childOf(log)) {
      log = await loopEvents(bench.api, child);
      levels += 1;
    }
    expect(levels).toBeGreaterThan(1);
    expect(ofType(log, 'core.workflowChain.event').at(-1)?.payload).toMatchObject({
      phase: 'dispatch.failed',
      error: { code: 'child_depth_exceeded' },
    });
  });

  it('take no more turns than they may', async () => {
    const workflowId = nameOf();
    await bench.addLoop({ workflowId }, { decide: handOffUntil(100, WORKER) });
    const configurable = { maxLoopIterations: 3 };
    const { status, error, events } = await runLoop(bench.api, workflowId, { configurable });
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'loop_limit_exceeded' });
    expect(iterationsOf(events)).toEqual([1, 2, 3]);
  });

  it('wait for a person, and go on in the turn after, over the windows that there were', async () => {
    const workflowId = nameOf();
    await bench.addLoop(
      { workflowId },
      {
        decide: (turn) =>
          turn === 2 ? { kind: 'ask-user', prompt: 'Which one?' } : handOffUntil(5, WORKER)(turn, NO_REQUEST),
      },
    );
    const runId = await startLoop(bench.api, workflowId);
    const waiting = await untilStatus(bench.api, runId, ['waiting-input']);
    expect(waiting['status']).toBe('waiting-input');
    const before = await Promise.all([1, 2].map((turn) => windowOf(bench.api, runId, turn)));
    const asked = ofType(await loopEvents(bench.api, runId), 'interrupt.requested')[0];
    const question = (asked?.payload.data.questions as { id: string }[])[0]?.id ?? '';
    const resumeValue = { answers: { [question]: 'The blue one.' } };
    await bench.api.ok(bench.api.post(`/v1/runs/${runId}/interrupts/dispatch`, { resumeValue }));
    const run = await untilEnd(bench.api, runId);
    expect(run.status).toBe('completed');
    expect(iterationsOf(run.events)).toEqual([1, 2, 3, 4, 5]);
    expect(await Promise.all([1, 2].map((turn) => windowOf(bench.api, runId, turn)))).toEqual(before);
    const third = await windowOf(bench.api, runId, 3);
    expect(JSON.stringify(third.entries)).toContain('The blue one.');
    expect((await inspectLoop(bench, run, LOOP_BUDGET)).faults).toEqual([]);
  });

  it('keep what models said out of the logs of processes', () => {
    const lines = bench.deployed.logLines().filter(({ text: line }) => line.includes(SAID));
    expect(lines.map(({ app }) => app)).toEqual([]);
  });
});

/** Answers that are sent back: those that break their form. */
function isRepaired([, , code]: Kind): boolean {
  return ['envelope_invalid', 'envelope_truncation_unrecoverable'].includes(code);
}

const NO_REQUEST = {} as Parameters<ReturnType<typeof handOffUntil>>[1];

function childOf(events: Awaited<ReturnType<typeof loopEvents>>): string | undefined {
  return ofType(events, 'node.dispatched')[0]?.payload.childRunId as string | undefined;
}
