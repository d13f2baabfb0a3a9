import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import {
  errorEnvelopeSchema,
  eventIdOf,
  ORCHESTRATOR_DECIDED,
  WORKER_RETURNED,
  type JsonObject,
} from '@palimpsest/contracts';
import { countAll } from '@palimpsest/tokens';
import { renderMessage, returnedMessage } from '@palimpsest/transcript';
import { addedPinSchema, pinListSchema, removedPinSchema } from '../openapi/response-schemas.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';

const CHARS = { tokenCounter: 'chars', transcriptTokenBudget: 4000 };

describe('pins', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const pin = (runId: string, json: unknown, headers = {}): Promise<Answer> =>
    gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/pins`, json, headers });
  const unpin = (runId: string, pinId: string, headers = {}): Promise<Answer> =>
    gateway.ask({ method: 'DELETE', url: `/v1/runs/${runId}/pins/${pinId}`, headers });
  const list = async (runId: string) =>
    pinListSchema.parse((await gateway.ask({ method: 'GET', url: `/v1/runs/${runId}/pins` })).body);
  const say = async (runId: string, ...messages: readonly JsonObject[]): Promise<string[]> => {
    const url = `/v1/runs/${runId}/turns`;
    return (await gateway.ask({ method: 'POST', url, json: { messages } })).body['eventIds'] as string[];
  };

  function refused(answer: Answer, status: number, error: string): JsonObject {
    expect([answer.status, errorEnvelopeSchema.parse(answer.body).error]).toEqual([status, error]);
    return (answer.body['details'] ?? {}) as JsonObject;
  }

  async function contentOf(runId: string): Promise<unknown> {
    const { artifactId = '' } = gateway.runLog.pins.added.at(-1) ?? {};
    const url = `/v1/runs/${runId}/artifacts/${artifactId}`;
    return (await gateway.ask({ method: 'GET', url })).body['content'];
  }

  it('of a text are stored as given, counted, and listed until they are removed', async () => {
    const runId = await gateway.newRun(CHARS);
    const answer = await pin(runId, { text: 'Always answer in French.' });
    const added = addedPinSchema.parse(answer.body);
    const tokens = [...'user: Always answer in French.\n'].length;
    expect([answer.status, added.tokens, added.pinnedTokens]).toEqual([201, tokens, tokens]);
    expect(await contentOf(runId)).toEqual({ role: 'user', text: 'Always answer in French.' });
    const second = addedPinSchema.parse((await pin(runId, { text: 'Be brief.' })).body);
    expect(second.pinnedTokens).toBe(tokens + second.tokens);
    expect(await list(runId)).toEqual({
      pins: [added, second].map(({ pinId, eventId, tokens: each }) => ({
        pinId,
        eventId,
        tokens: each,
        at: '2026-01-02T03:04:05.678Z',
      })),
      pinnedTokens: second.pinnedTokens,
    });
    const removal = await unpin(runId, added.pinId);
    expect([removal.status, removedPinSchema.parse(removal.body)]).toEqual([
      200,
      { pinId: added.pinId, removed: true },
    ]);
    expect((await list(runId)).pins).toMatchObject([{ pinId: second.pinId }]);
    refused(await unpin(runId, added.pinId), 404, 'not_found');
    for (const other of ['pin_0', 'nobody', 'pin_']) refused(await unpin(runId, other), 404, 'not_found');
  });

  it('of a text that is no Unicode are repaired, and say so', async () => {
    const runId = await gateway.newRun(CHARS);
    expect((await pin(runId, { text: 'a\u0000b\ud800c' })).status).toBe(201);
    expect(gateway.runLog.pins.added.at(-1)).toMatchObject({ repaired: true });
    expect(await contentOf(runId)).toMatchObject({ text: 'a\uFFFDb\uFFFDc' });
  });

  it('of a message refer to the message itself', async () => {
    const runId = await gateway.newRun(CHARS);
    const [eventId = ''] = await say(runId, { role: 'assistant', content: 'Noted.' });
    const { body } = await pin(runId, { eventId });
    expect(body).toMatchObject({ tokens: [...'assistant: Noted.\n'].length });
    expect(gateway.runLog.pins.added.at(-1)).toMatchObject({ pinnedEventId: eventId, repaired: false });
    expect(await contentOf(runId)).toEqual({ role: 'assistant', text: 'Noted.' });
    const { artifactId = '' } = gateway.runLog.pins.added.at(-1) ?? {};
    await gateway.ports.artifacts.erase('acme', artifactId);
    refused(await pin(runId, { eventId }), 410, 'artifact_erased');
  });

  it('of a turn of an execution loop store what it says', async () => {
    const { body } = await gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId: 'looped' } });
    const runId = textIn(body, 'runId');
    const header = await gateway.ports.eventLog.header('acme', runId);
    const decision = { kind: 'next-worker', nextWorkerIds: ['w'] };
    const payload = { agentId: 'abc', iteration: 1, decision };
    const counts = countAll('assistant: turn 1: {"kind":"next-worker","nextWorkerIds":["w"]}\n');
    const common = { type: ORCHESTRATOR_DECIDED, payload, schemaVersion: 1, nodeId: 'step' };
    await gateway.ports.eventLog.append({
      tenantId: 'acme',
      runId,
      expectedHead: header?.head ?? 0,
      events: [{ ...common, counts }, common],
      at: new Date(0),
    });
    const [turn, uncounted] = [1, 2].map((after) => eventIdOf(runId, (header?.head ?? 0) + after));
    const answer = await pin(runId, { eventId: turn });
    expect([answer.status, answer.body['tokens']]).toEqual([201, counts.o200k_base]);
    expect(await contentOf(runId)).toMatchObject({ role: 'assistant' });
    refused(await pin(runId, { eventId: uncounted }), 422, 'unsupported_content');
    expect((await list(runId)).pins).toHaveLength(1);
  });

  it('of what a worker returned refer to the artifact that its event names', async () => {
    const { body } = await gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId: 'looped' } });
    const runId = textIn(body, 'runId');
    const content = returnedMessage({ workerId: 'w', began: 3, outputs: { note: 'Found.' } });
    const origin = `returned:${runId}:run_c`;
    const [artifactId = ''] = await gateway.ports.artifacts.put('acme', runId, [
      { type: 'message', origin, content },
    ]);
    const header = await gateway.ports.eventLog.header('acme', runId);
    const payload = { workerId: 'w', childRunId: 'run_c', artifactId };
    const counts = countAll(renderMessage(content));
    const event = { type: WORKER_RETURNED, payload, schemaVersion: 1, nodeId: 'd', counts };
    await gateway.ports.eventLog.append({
      tenantId: 'acme',
      runId,
      expectedHead: header?.head ?? 0,
      events: [event],
      at: new Date(0),
    });
    const eventId = eventIdOf(runId, (header?.head ?? 0) + 1);
    const answer = await pin(runId, { eventId });
    expect([answer.status, answer.body['tokens']]).toEqual([201, counts.o200k_base]);
    expect(gateway.runLog.pins.added.at(-1)).toMatchObject({ artifactId, pinnedEventId: eventId });
    expect(await contentOf(runId)).toEqual(content);
    await gateway.ports.artifacts.erase('acme', artifactId);
    refused(await pin(runId, { eventId }), 410, 'artifact_erased');
  });

  it('stand in windows as entries of their own, and in messages as the user’s words', async () => {
    const runId = await gateway.newRun(CHARS);
    await pin(runId, { text: 'Use metric units.' });
    const [, result = ''] = await say(
      runId,
      { role: 'user', content: 'How warm is it?' },
      { role: 'assistant', content: '41 °F' },
    );
    await pin(runId, { eventId: result });
    const { body } = await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/windows` });
    const entries = body['entries'] as { kind: string; rendered: string; eventId: string }[];
    expect(entries.map(({ kind, rendered }) => [kind, rendered])).toEqual([
      ['pin', 'user: Use metric units.\n'],
      ['turn', 'user: How warm is it?\n'],
      ['turn', 'assistant: 41 °F\n'],
      ['pin', 'assistant: 41 °F\n'],
    ]);
    expect(body['eventIds']).toEqual(entries.map(({ eventId }) => eventId));
    expect(body['messages']).toEqual([
      { role: 'user', content: 'Use metric units.' },
      { role: 'user', content: 'How warm is it?' },
      { role: 'assistant', content: '41 °F' },
      { role: 'user', content: 'assistant: 41 °F' },
    ]);
  });

  it('are added and removed once for an idempotency key', async () => {
    const runId = await gateway.newRun(CHARS);
    const headers = { 'idempotency-key': 'k-1' };
    const first = await pin(runId, { text: 'Once.' }, headers);
    const again = await pin(runId, { text: 'Once.' }, headers);
    expect([again.status, again.body, again.headers['openwop-idempotent-replay']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect((await list(runId)).pins).toHaveLength(1);
    refused(await pin(runId, { text: 'Twice.' }, headers), 409, 'idempotency_key_mismatch');
    const pinId = textIn(first.body, 'pinId');
    for (const replay of [undefined, 'true']) {
      const removal = await unpin(runId, pinId, headers);
      expect([removal.status, removal.headers['openwop-idempotent-replay']]).toEqual([200, replay]);
    }
    expect(await list(runId)).toEqual({ pins: [], pinnedTokens: 0 });
  });

  it.each([
    {},
    { text: 'a', eventId: 'b' },
    { text: '' },
    { text: 1 },
    { eventId: '' },
    { eventId: 'a\u0000' },
    { text: 'a', surprise: 1 },
    [],
    null,
  ])('are not made of %j', async (body) => {
    refused(await pin(await gateway.newRun(CHARS), body), 400, 'validation_error');
  });

  it('are made of events of the run alone, and of its transcript', async () => {
    const runId = await gateway.newRun(CHARS);
    const [instruction = ''] = await say(runId, { role: 'system', content: 'Be kind.' });
    const other = await gateway.newRun(CHARS);
    const [foreign = ''] = await say(other, { role: 'user', content: 'Hello.' });
    for (const eventId of [foreign, eventIdOf(runId, 999), eventIdOf('nobody', 0), 'evt', runId]) {
      refused(await pin(runId, { eventId }), 404, 'not_found');
    }
    for (const eventId of [instruction, eventIdOf(runId, 0)]) {
      expect(refused(await pin(runId, { eventId }), 422, 'unsupported_content')).toMatchObject({
        field: 'eventId',
      });
    }
  });

  it('are refused where they leave no room, where the run has ended, and where it has no windows', async () => {
    const runId = await gateway.newRun(CHARS);
    refused(await pin(runId, { text: 'x'.repeat(5000) }), 400, 'context_budget_infeasible');
    const { body } = await pin(runId, { text: 'x' });
    await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/finish` });
    refused(await pin(runId, { text: 'y' }), 409, 'run_not_active');
    refused(await unpin(runId, textIn(body, 'pinId')), 409, 'run_not_active');
    expect((await list(runId)).pins).toHaveLength(1);
    const plain = await gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId: 'plain' } });
    const without = textIn(plain.body, 'runId');
    refused(await pin(without, { text: 'y' }), 409, 'run_not_active');
    refused(await gateway.ask({ method: 'GET', url: `/v1/runs/${without}/pins` }), 404, 'not_found');
  });

  it('take the scopes of turns, and are another tenant’s secret', async () => {
    const runId = await gateway.newRun(CHARS);
    const url = `/v1/runs/${runId}/pins`;
    const reader = await gateway.newKey('acme', ['runs:read']);
    const writer = await gateway.newKey('acme', ['runs:create']);
    const rival = await gateway.newKey('rival');
    const json = { text: 'a' };
    refused(await gateway.ask({ method: 'POST', url, json, key: reader }), 403, 'forbidden');
    refused(await gateway.ask({ method: 'DELETE', url: `${url}/pin_1`, key: reader }), 403, 'forbidden');
    refused(await gateway.ask({ method: 'GET', url, key: writer }), 403, 'forbidden');
    refused(await gateway.ask({ method: 'POST', url, json, key: rival }), 404, 'not_found');
    refused(await gateway.ask({ method: 'GET', url, key: rival }), 404, 'not_found');
    const put = await gateway.ask({ method: 'PUT', url, json });
    expect([put.status, put.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    const got = await gateway.ask({ method: 'GET', url: `${url}/pin_1` });
    expect([got.status, got.headers['allow']]).toEqual([405, 'DELETE']);
  });
});
