import type { INestApplicationContext } from '@nestjs/common';
import {
  isTerminalEventType,
  PROVIDER_USAGE,
  type JsonObject,
  type RecordedEvent,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { LEASE_MS } from '../invocations/ask-once.js';
import type { OrchestratorModuleOptions } from '../orchestrator.module.js';
import type { RunKey } from '../orchestrator-ports.js';
import { ANSWER_KEPT, CALL_CLAIMED, MODEL_ANSWERED, USAGE_RECORDED } from '../race-points.js';
import { PostgresMockProgramStore } from '../store/postgres-mock-program-store.js';
import { expectSoundLog } from '../testing/expect-sound-log.js';
import { openModelHost, type ModelHost } from '../testing/model-host.js';
import { killedAt } from '../testing/race-points.js';
import { modelNode, registerWorkflow } from '../testing/register-workflow.js';
import { TEST_HOSTS, type TestHost } from '../testing/test-hosts.js';
import type { WorkflowHarness } from '../testing/workflow-harness.js';

const SCHEMA = { type: 'object', required: ['valid'], properties: { valid: { type: 'boolean' } } };
const MESSAGES = [{ role: 'user', content: 'Is it?' }];

describe.each(TEST_HOSTS)('nodes that a model answers for %s', (_how, open) => {
  let host: TestHost;
  let harness: WorkflowHarness;
  let provider: ModelHost;
  let programs: PostgresMockProgramStore;
  let running: INestApplicationContext | undefined;

  beforeAll(async () => {
    host = await open();
    harness = host.harness();
    programs = new PostgresMockProgramStore(host.database.pool);
    const structured = (more: JsonObject) =>
      modelNode('core.ai.structuredOutput', { outputSchema: SCHEMA, messages: MESSAGES, ...more });
    await registerWorkflow(harness, 'mocked', structured({ provider: 'mock', model: 'mock-mini' }));
    await registerWorkflow(harness, 'asked', structured({}));
    await registerWorkflow(harness, 'retried', { ...structured({}), settings: { maxRetries: 1 } });
    await registerWorkflow(harness, 'told', modelNode('core.ai.callPrompt', { prompt: 'Say it.' }));
    const limit = { settings: { timeout: 500 } } as Parameters<typeof modelNode>[2];
    await registerWorkflow(harness, 'limited', modelNode('core.ai.callPrompt', { prompt: 'Say it.' }, limit));
  });
  beforeEach(async () => {
    provider = await openModelHost(harness);
    await programs.program({ tenantId: 'acme', nodeId: 'n', program: [] });
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    await provider.close();
  });
  afterAll(() => host.close());

  async function startProcess(changes: Partial<OrchestratorModuleOptions> = {}): Promise<void> {
    running = await harness.orchestrator({ model: provider.access, mockPrograms: programs, ...changes });
  }

  /** `stepMs`: how far time goes with every look. */
  async function untilEnded(key: RunKey, { stepMs = 0 } = {}): Promise<readonly RecordedEvent[]> {
    await waitUntil(
      async () => {
        harness.later(stepMs);
        return isTerminalEventType((await harness.events(key)).at(-1)?.type ?? '');
      },
      { what: `${key.runId} has ended` },
    );
    const events = await harness.events(key);
    expectSoundLog(await harness.header(key), events);
    return events;
  }

  const stateOf = async (key: RunKey) => (await harness.header(key))?.state as unknown as WorkflowRunState;
  const ofType = (events: readonly RecordedEvent[], type: string) =>
    events.filter((each) => each.type === type);
  const outputsIn = (events: readonly RecordedEvent[]) =>
    ofType(events, 'node.completed')[0]?.payload['outputs'];
  const mock = (content: string, stopReason = 'end_turn', refusalText = 'zebra') => ({
    content,
    stopReason,
    refusalText,
  });

  async function ended(workflowId: string, configurable?: JsonObject) {
    const key = await harness.start(workflowId, configurable ? { configurable } : {});
    const events = await untilEnded(key);
    return { key, events, error: (await stateOf(key)).error };
  }

  it.each<[string, ModelHost['respond'], JsonObject]>([
    ['asked', () => ({ kind: 'object', value: { valid: true } }), { result: { valid: true } }],
    ['told', () => ({ kind: 'text', text: 'It.' }), { text: 'It.' }],
  ])('have its answer as outputs: %s', async (workflowId, reply, outputs) => {
    provider.respond = reply;
    await startProcess();
    const { events } = await ended(workflowId);
    expect(outputsIn(events)).toEqual(outputs);
    const types = events.map(({ type }) => type);
    expect(types).toEqual(['run.started', 'node.started', PROVIDER_USAGE, 'node.completed', 'run.completed']);
    expect(events[2]).toMatchObject({ nodeId: 'n', payload: { nodeId: 'n' } });
  });

  it.each<[string, string, ModelHost['respond'], string]>([
    ['asked', 'no object', () => ({ kind: 'text', text: 'zebra' }), 'envelope_invalid'],
    ['asked', 'another object', () => ({ kind: 'object', value: { zebra: 1 } }), 'envelope_invalid'],
    ['told', 'a refusal', () => ({ kind: 'refusal', text: 'zebra' }), 'envelope_refusal'],
    [
      'told',
      'half a text',
      () => ({ kind: 'text', text: 'zeb', finish: 'length' }),
      'envelope_truncation_unrecoverable',
    ],
    ['told', 'too much', () => ({ kind: 'text', text: 'x'.repeat(50_000) }), 'output_too_large'],
    ['told', 'no request taken', () => ({ kind: 'error', status: 400 }), 'model_request_refused'],
    ['told', 'an outage', () => ({ kind: 'error', status: 500 }), 'service_unavailable'],
  ])('fail (%s) with %s', async (workflowId, _what, reply, code) => {
    provider.respond = reply;
    await startProcess();
    const { events, error } = await ended(workflowId);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(events)).not.toContain('zebra');
  });

  it('are asked as the request of their run says', async () => {
    provider.respond = () => ({ kind: 'text', text: 'It.' });
    await startProcess();
    await ended('told', { temperature: 0.5, maxTokens: 9 });
    expect(provider.server.requests.at(-1)).toMatchObject({ maxOutputTokens: 9, body: { temperature: 0.5 } });
  });

  it('are answered by the model that is wished for, and fail where the host asks none of the name', async () => {
    provider.respond = () => ({ kind: 'text', text: 'It.' });
    await registerWorkflow(
      harness,
      'wishing',
      modelNode('core.ai.callPrompt', { prompt: 'p', model: 'm-2', provider: 'any' }),
    );
    await startProcess();
    await ended('wishing');
    await ended('wishing', { model: 'm-1' });
    const { error } = await ended('told', { model: 'zebra' });
    expect(error).toMatchObject({ code: 'capability_required', details: { field: 'model' } });
    expect(provider.server.requests.map(({ model }) => model)).toEqual(['m-2', 'm-1']);
  });

  it('are retried after an outage as their workflow says', async () => {
    provider.respond = ({ index }) =>
      index === 0 ? { kind: 'error', status: 503 } : { kind: 'object', value: { valid: true } };
    await startProcess();
    const key = await harness.start('retried');
    await waitUntil(async () => {
      harness.later(500);
      return (await harness.header(key))?.status === 'completed';
    });
    expect(outputsIn(await untilEnded(key))).toEqual({ result: { valid: true } });
  });

  it('fail when their time is over, whatever the model does', async () => {
    provider.respond = () => new Promise<never>(() => undefined);
    harness.now = new Date();
    await startProcess({ clock: { now: () => new Date() } });
    const { error } = await ended('limited');
    expect(error?.code).toMatch(/timeout/);
    harness.now = new Date('2026-01-01T00:00:00.000Z');
  });

  it('fail where no model is configured, and where the provider mock is not served', async () => {
    running = await harness.orchestrator();
    for (const workflowId of ['asked', 'told', 'mocked'])
      expect((await ended(workflowId)).error).toMatchObject({ code: 'capability_required' });
  });

  describe('of the provider mock', () => {
    it('get the answers of their program in order, then none', async () => {
      const program = [mock('{"valid":true}'), mock('{"valid":false}')];
      await programs.program({ tenantId: 'acme', nodeId: 'n', program });
      await startProcess();
      expect(outputsIn((await ended('mocked')).events)).toEqual({ result: { valid: true } });
      expect(outputsIn((await ended('mocked')).events)).toEqual({ result: { valid: false } });
      expect((await ended('mocked')).error).toMatchObject({ code: 'mock_program_exhausted' });
      expect(provider.server.requests).toHaveLength(0);
    });

    it.each(['conformance-phase4-replay-divergence', 'conformance-phase4-nondet-tool'])(
      'answer %s as programmed',
      async (workflowId) => {
        const program = [mock('{"valid":true}'), mock('', 'safety')];
        await programs.program({ tenantId: 'acme', nodeId: 'structured-call', program });
        await startProcess();
        const { key, error } = await ended(workflowId);
        expect([(await stateOf(key)).outputs, error]).toEqual([{ result: { valid: true } }, undefined]);
        expect((await ended(workflowId)).error).toMatchObject({ code: 'envelope_refusal' });
      },
    );

    it('are meant where the run says so', async () => {
      await programs.program({ tenantId: 'acme', nodeId: 'n', program: [mock('It.')] });
      await startProcess();
      const { events } = await ended('told', { mockProvider: { id: 'scripted', config: {} } });
      expect(outputsIn(events)).toEqual({ text: 'It.' });
      expect(ofType(events, PROVIDER_USAGE)).toEqual([]);
    });

    it.each([
      [mock('zebra'), 'envelope_invalid'],
      [mock('{"valid":"zebra"}'), 'envelope_invalid'],
      [mock('', 'safety'), 'envelope_refusal'],
      [mock('{"valid":tr', 'max_tokens'), 'envelope_truncation_unrecoverable'],
    ])('fail as with a real one: %#', async (answer, code) => {
      await programs.program({ tenantId: 'acme', nodeId: 'n', program: [answer] });
      await startProcess();
      const { events, error } = await ended('mocked');
      expect(error).toMatchObject({ code });
      expect(JSON.stringify(events)).not.toContain('zebra');
    });

    it.each([CALL_CLAIMED, MODEL_ANSWERED, ANSWER_KEPT, USAGE_RECORDED])(
      'take one answer where the process dies at %s',
      async (point) => {
        const program = [mock('{"valid":true}'), mock('{"valid":false}')];
        await programs.program({ tenantId: 'acme', nodeId: 'n', program });
        const races = killedAt(point);
        await startProcess({ races });
        const key = await harness.start('mocked');
        await waitUntil(() => races.reached() >= 1);
        // A dead process's claim ends with its lease; whoever met it before looks again a while later.
        if (point === CALL_CLAIMED || point === MODEL_ANSWERED) harness.later(LEASE_MS);
        expect(outputsIn(await untilEnded(key, { stepMs: 20 }))).toEqual({ result: { valid: true } });
        expect(outputsIn((await ended('mocked')).events)).toEqual({ result: { valid: false } });
      },
    );
  });
});
