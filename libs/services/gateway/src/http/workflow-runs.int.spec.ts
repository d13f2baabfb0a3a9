import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema, type JsonObject } from '@palimpsest/contracts';
import { createdRunSchema, runListSchema, runSnapshotSchema } from '../openapi/response-schemas.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';

const AWS_KEY = `AKIA${'Q'.repeat(16)}`;

describe('runs that the host executes', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, {
      engineLimits: { maxNodeExecutions: 50, maxRunDurationMs: 60_000, maxLoopIterations: 12 },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const post = (url: string, json?: unknown, headers = {}, key = gateway.key): Promise<Answer> =>
    gateway.ask({ method: 'POST', url, headers, key, ...(json !== undefined && { json }) });
  const get = (url: string, headers = {}, key = gateway.key): Promise<Answer> =>
    gateway.ask({ method: 'GET', url, headers, key });
  const start = async (json: JsonObject): Promise<string> =>
    textIn((await post('/v1/runs', json)).body, 'runId');

  function refused(answer: Answer, status: number, error: string): JsonObject {
    expect([answer.status, errorEnvelopeSchema.parse(answer.body).error]).toEqual([status, error]);
    return (answer.body['details'] ?? {}) as JsonObject;
  }

  describe('creating one', () => {
    it('answers where it is, with the status as recorded', async () => {
      const answer = await post('/v1/runs', { workflowId: 'named', inputs: { nonce: 'a' }, scopeId: 's-1' });
      const created = createdRunSchema.parse(answer.body);
      expect(answer.status).toBe(201);
      expect(created).toEqual({
        runId: expect.any(String),
        status: 'running',
        statusUrl: `/v1/runs/${created.runId}`,
        eventsUrl: `/v1/runs/${created.runId}/events`,
      });
      expect(answer.headers['location']).toBe(created.statusUrl);
      expect(gateway.runLog.engine.started.at(-1)).toMatchObject({
        tenantId: 'acme',
        runId: created.runId,
        workflowId: 'named',
        workflowDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        inputs: { nonce: 'a' },
        defaults: { colour: 'blue' },
        bounds: { maxNodeExecutions: 50, maxRunDurationMs: 60_000 },
        scopeId: 's-1',
      });
    });

    it('holds an execution loop to the host’s context settings, and tells them', async () => {
      const context = {
        tokenCounter: 'o200k_base',
        transcriptTokenBudget: 8000,
        keepLastTurns: 6,
        strategy: 'sliding-window',
      };
      const { body } = await post('/v1/runs', { workflowId: 'looped' });
      expect(createdRunSchema.parse(body).context).toEqual(context);
      expect(gateway.runLog.engine.started.at(-1)?.context).toEqual(context);
      const { body: snapshot } = await get(`/v1/runs/${textIn(body, 'runId')}`);
      expect(runSnapshotSchema.parse(snapshot).configurable).toEqual({ context });
      await start({ workflowId: 'plain' });
      expect(gateway.runLog.engine.started.at(-1)).not.toHaveProperty('context');
    });

    it('keeps the settings that were asked for apart from the rest of configurable', async () => {
      const asked = { transcriptTokenBudget: 2000, keepLastTurns: 1, strategy: 'map-reduce' };
      const configurable = { mood: 'calm', context: asked };
      const runId = await start({ workflowId: 'looped', configurable });
      const started = gateway.runLog.engine.started.at(-1);
      expect(started).toMatchObject({ context: asked, configurable: { mood: 'calm' } });
      expect(started?.configurable).not.toHaveProperty('context');
      const { body } = await get(`/v1/runs/${runId}`);
      expect(body['configurable']).toMatchObject(configurable);
    });

    it.each([
      [{ tokenCounter: 'chars' }, 'validation_error', 'tokenCounter'],
      [{ transcriptTokenBudget: 8001 }, 'validation_error', 'transcriptTokenBudget'],
      [
        { transcriptTokenBudget: 300, keepLastTurns: 99 },
        'context_budget_infeasible',
        'transcriptTokenBudget',
      ],
      [{ strategy: 'oldest-first' }, 'validation_error', 'strategy'],
      [{ surprise: 1 }, 'validation_error', 'surprise'],
    ])('refuses the context %j of a loop with %s', async (context, error, knob) => {
      const answer = await post('/v1/runs', { workflowId: 'looped', configurable: { context } });
      expect(refused(answer, 400, error)).toMatchObject({ field: `configurable.context.${knob}` });
    });

    it('takes the tightest of the bounds', async () => {
      await start({ workflowId: 'plain', configurable: { recursionLimit: 3, runTimeoutMs: 1000 } });
      expect(gateway.runLog.engine.started.at(-1)?.bounds).toEqual({
        maxNodeExecutions: 3,
        maxRunDurationMs: 1000,
      });
      await start({ workflowId: 'looped' });
      expect(gateway.runLog.engine.started.at(-1)?.bounds).toMatchObject({ maxLoopIterations: 12 });
    });

    it.each(['nobody', 'draft-flow', 'archived-flow', 'inactive-flow', 'No Workflow Id', '__proto__'])(
      'knows no workflow %s to start',
      async (workflowId) => {
        const answer = await post('/v1/runs', { workflowId });
        refused(answer, 404, 'not_found');
        expect(answer.body['message']).toBe(`The workflow ${workflowId} was not found.`);
      },
    );

    it('says which node it cannot execute', async () => {
      const details = refused(await post('/v1/runs', { workflowId: 'branched' }), 422, 'capability_required');
      expect(details).toEqual({
        requiredCapability: 'subWorkflow',
        offendingTypeId: 'core.subWorkflow',
        nodeId: 'step',
      });
    });

    it.each([
      [{ workflowId: 'named' }],
      [{ workflowId: 'named', inputs: { nonce: 7 } }],
      [{ workflowId: 'plain', configurable: { recursionLimit: 0 } }],
      [{ workflowId: 'plain', configurable: { runTimeoutMs: 'soon' } }],
    ])('takes no request that its workflow does not: %j', async (json) => {
      const details = refused(await post('/v1/runs', json), 400, 'validation_error');
      expect(details['field']).toMatch(/^(?:inputs|configurable)\./);
    });

    it('takes no more than one event can hold', async () => {
      const json = { workflowId: 'plain', inputs: { text: 'x'.repeat(70_000) } };
      refused(await post('/v1/runs', json), 413, 'payload_too_large');
    });

    it('is of the tenant of the key, or not at all', async () => {
      refused(await post('/v1/runs', { workflowId: 'plain', tenantId: 'rival' }), 403, 'forbidden');
      expect((await post('/v1/runs', { workflowId: 'plain', tenantId: 'acme' })).status).toBe(201);
    });

    it('lets test keys alone choose a mock provider', async () => {
      const json = { workflowId: 'plain', configurable: { mockProvider: { id: 'scripted', config: {} } } };
      refused(await post('/v1/runs', json), 403, 'mock_provider_forbidden');
      const testKey = await gateway.newKey('acme-test', undefined, 'test');
      expect((await post('/v1/runs', json, {}, testKey)).status).toBe(201);
    });

    it.each(['plain', 'palimpsest-external'])('of %s records no secret', async (workflowId) => {
      const runId = await start({
        workflowId,
        inputs: { note: `the key is ${AWS_KEY}`, deep: [{ password: 'correct horse' }], harmless: 'kept' },
        metadata: { header: 'Authorization: Bearer abcdefghijklmnop' },
        configurable: { promptOverrides: { system: `use ${AWS_KEY}` } },
        tags: [`ghp_${'a'.repeat(20)}`, 'kept'],
      });
      const kept = JSON.stringify([
        gateway.runLog.engine.started.at(-1),
        (await get(`/v1/runs/${runId}`)).body,
        (await get(`/v1/runs/${runId}/events`)).body,
      ]);
      expect(kept).not.toMatch(/AKIA|correct horse|abcdefghijklmnop|ghp_/);
      expect(kept).toContain('"harmless":"kept"');
    });
  });

  describe('X-Dedup: enforce', () => {
    const enforce = { 'x-dedup': 'enforce' };
    let scopes = 0;
    const inScope = (): JsonObject => ({ workflowId: 'plain', scopeId: `scope-${(scopes += 1)}` });

    it('refuses a second run beside one that has not ended', async () => {
      const json = inScope();
      const first = await post('/v1/runs', json, enforce);
      expect(first.status).toBe(201);
      const answer = await post('/v1/runs', json, enforce);
      expect(refused(answer, 409, 'run_already_active')).toEqual({
        activeRunId: first.body['runId'],
        activeHost: 'palimpsest',
        retryAfter: 5,
      });
      expect(answer.headers['retry-after']).toBe('5');
      for (const other of [inScope(), { ...json, workflowId: 'gated' }]) {
        expect((await post('/v1/runs', other, enforce)).status).toBe(201);
      }
      const rival = await gateway.newKey('rival');
      expect((await post('/v1/runs', json, enforce, rival)).status).toBe(201);
    });

    it('sees runs that were started without it, and leaves those alone that do not ask', async () => {
      const json = inScope();
      const first = await start(json);
      const answer = await post('/v1/runs', json, enforce);
      expect(refused(answer, 409, 'run_already_active')['activeRunId']).toBe(first);
      expect((await post('/v1/runs', json)).status).toBe(201);
    });

    it('takes no scope for a scope of its own', async () => {
      const key = await gateway.newKey('scopeless');
      const json = { workflowId: 'plain' };
      expect((await post('/v1/runs', json, enforce, key)).status).toBe(201);
      refused(await post('/v1/runs', json, enforce, key), 409, 'run_already_active');
      expect((await post('/v1/runs', { ...json, scopeId: 's' }, enforce, key)).status).toBe(201);
    });

    it('passes the place on when its run has ended, to one of many', async () => {
      const json = inScope();
      const runId = textIn((await post('/v1/runs', json, enforce)).body, 'runId');
      await post(`/v1/runs/${runId}/cancel`);
      const answers = await Promise.all(Array.from({ length: 8 }, () => post('/v1/runs', json, enforce)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    });

    it('gives the place back when nothing was started', async () => {
      const json = inScope();
      const large = { ...json, inputs: { text: 'x'.repeat(70_000) } };
      refused(await post('/v1/runs', large, enforce), 413, 'payload_too_large');
      expect((await post('/v1/runs', json, enforce)).status).toBe(201);
    });

    it('is not remembered with an Idempotency-Key: the request may come again', async () => {
      const json = inScope();
      const runId = textIn((await post('/v1/runs', json, enforce)).body, 'runId');
      const keyed = { ...enforce, 'idempotency-key': `dedup-${scopes}` };
      refused(await post('/v1/runs', json, keyed), 409, 'run_already_active');
      await post(`/v1/runs/${runId}/cancel`);
      const started = await post('/v1/runs', json, keyed);
      expect(started.status).toBe(201);
      expect(await post('/v1/runs', json, keyed)).toMatchObject({
        status: 201,
        body: started.body,
        headers: { 'openwop-idempotent-replay': 'true' },
      });
    });

    it('holds for own loops too', async () => {
      const json = { workflowId: 'palimpsest-external', scopeId: `own-${(scopes += 1)}` };
      expect((await post('/v1/runs', json, enforce)).status).toBe(201);
      refused(await post('/v1/runs', json, enforce), 409, 'run_already_active');
    });

    it.each(['', 'Enforce', 'off', 'enforce, enforce'])('knows no other value: %j', async (value) => {
      const answer = await post('/v1/runs', { workflowId: 'plain' }, { 'x-dedup': value });
      expect(refused(answer, 400, 'validation_error')['field']).toBe('X-Dedup');
    });
  });

  describe('its snapshot', () => {
    it('tells what it is and what its nodes do', async () => {
      const runId = await start({
        workflowId: 'named',
        inputs: { nonce: 'a' },
        tags: ['t'],
        metadata: { m: 1 },
        configurable: { recursionLimit: 9 },
      });
      const { body, status } = await get(`/v1/runs/${runId}`);
      expect(status).toBe(200);
      expect(runSnapshotSchema.parse(body)).toMatchObject({
        runId,
        workflowId: 'named',
        status: 'running',
        owner: { tenant: 'acme' },
        currentNodeId: 'step',
        variables: { nonce: 'a', colour: 'blue' },
        channels: {},
        inputs: { nonce: 'a' },
        nodeStates: { step: { status: 'running', attempt: 0 } },
        engineVersion: '1',
        eventLogSchemaVersion: 1,
        tags: ['t'],
        metadata: { m: 1 },
        configurable: { recursionLimit: 9 },
      });
      expect(body).not.toHaveProperty('completedAt');
      expect(body).not.toHaveProperty('interrupt');
      await post(`/v1/runs/${runId}/cancel`);
      expect((await get(`/v1/runs/${runId}`)).body).toMatchObject({
        status: 'cancelled',
        completedAt: expect.any(String),
        nodeStates: { step: { status: 'cancelled', reason: 'run-cancelled' } },
      });
    });

    it('has a strong tag that changes with the run, and with what is shown of it', async () => {
      const runId = await start({ workflowId: 'gated' });
      const url = `/v1/runs/${runId}`;
      const reader = await gateway.newKey('acme', ['runs:read']);
      const seen = await get(url);
      const tag = String(seen.headers['etag']);
      expect(tag).toMatch(/^"2-[A-Za-z0-9_-]+"$/);
      expect((await get(url)).headers['etag']).toBe(tag);
      const unchanged = await get(url, { 'if-none-match': tag });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      expect(unchanged.headers['etag']).toBe(tag);
      const head = await gateway.ask({ method: 'HEAD', url });
      expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', tag]);
      expect((await get(url, { 'if-none-match': tag }, reader)).status).toBe(200);
      await post(`${url}/interrupts/step`, { resumeValue: { action: 'accept' } });
      const changed = await get(url, { 'if-none-match': tag });
      expect(changed.status).toBe(200);
      expect(changed.headers['etag']).not.toBe(tag);
    });

    it('is short in a list', async () => {
      const key = await gateway.newKey('lister');
      await post('/v1/runs', { workflowId: 'named', inputs: { nonce: 'x'.repeat(1000) } }, {}, key);
      const { body } = await get('/v1/runs', {}, key);
      const [run] = runListSchema.parse(body).runs;
      expect(run).toMatchObject({ workflowId: 'named', currentNodeId: 'step', engineVersion: '1' });
      expect(run).not.toHaveProperty('variables');
      expect(run).not.toHaveProperty('inputs');
    });
  });

  describe('cancelling', () => {
    it('ends a run of any kind, and leaves an ended one as it is', async () => {
      for (const workflowId of ['plain', 'gated', 'palimpsest-external']) {
        const runId = await start({ workflowId });
        const url = `/v1/runs/${runId}/cancel`;
        for (let time = 0; time < 2; time += 1) {
          expect(await post(url, { reason: 'no longer needed' })).toMatchObject({
            status: 200,
            body: { runId, status: 'cancelled' },
          });
        }
      }
      const runId = await start({ workflowId: 'gated' });
      await post(`/v1/runs/${runId}/interrupts/step`, { resumeValue: { action: 'accept' } });
      expect((await post(`/v1/runs/${runId}/cancel`)).body).toEqual({ runId, status: 'completed' });
    });

    it('records who and why, without secrets', async () => {
      const runId = await start({ workflowId: 'plain' });
      await post(`/v1/runs/${runId}/cancel`, { reason: `leaked ${AWS_KEY}` });
      expect(gateway.runLog.engine.cancelled.at(-1)).toEqual({
        tenantId: 'acme',
        runId,
        reason: 'leaked [redacted]',
        cancelledBy: expect.stringMatching(/^key:[A-Za-z0-9]{12}$/),
      });
    });

    it('is refused where there is no run, no scope, or no sense', async () => {
      const runId = await start({ workflowId: 'plain' });
      const url = `/v1/runs/${runId}/cancel`;
      for (const json of [
        { reason: '' },
        { reason: 7 },
        { reason: 'x'.repeat(1025) },
        { why: 'x' },
        null,
        [],
      ]) {
        refused(await post(url, json), 400, 'validation_error');
      }
      refused(await post('/v1/runs/nobody/cancel'), 404, 'not_found');
      refused(await post(url, {}, {}, await gateway.newKey('rival')), 404, 'not_found');
      refused(await post(url, {}, {}, await gateway.newKey('acme', ['runs:read'])), 403, 'forbidden');
      expect((await get(`/v1/runs/${runId}`)).body['status']).toBe('running');
    });

    it('answers for each of many, in their order', async () => {
      const ids = await Promise.all(['plain', 'gated', 'plain'].map((workflowId) => start({ workflowId })));
      const [first = '', second = '', third = ''] = ids;
      await post(`/v1/runs/${third}/cancel`);
      const foreign = textIn(
        (await post('/v1/runs', { workflowId: 'plain' }, {}, await gateway.newKey('rival'))).body,
        'runId',
      );
      const runIds = [first, 'nobody', second, first, third, foreign, 'no id at all'];
      const { status, body } = await post('/v1/runs:bulk-cancel', { runIds, reason: 'cleaning up' });
      expect(status).toBe(200);
      const missing = { ok: false, error: { code: 'not_found', message: expect.any(String) } };
      const done = { ok: true, status: 'cancelled' };
      expect(body['results']).toEqual(
        [done, missing, done, done, done, missing, missing].map((each, index) => ({
          runId: runIds[index],
          ...each,
        })),
      );
      const none = await post('/v1/runs:bulk-cancel', { runIds: ['x', 'y'] });
      expect([none.status, (none.body['results'] as unknown[]).length]).toEqual([200, 2]);
    });

    it.each([
      [{}],
      [{ runIds: [] }],
      [{ runIds: Array.from({ length: 101 }, (_, index) => `run_${index}`) }],
      [{ runIds: 'run_1' }],
      [{ runIds: [7] }],
      [{ runIds: ['a\u0000'] }],
      [{ runIds: ['run_1'], reason: 7 }],
      [{ runIds: ['run_1'], surprise: 1 }],
    ])('takes 1 to 100 ids: %j', async (json) => {
      const details = refused(await post('/v1/runs:bulk-cancel', json), 400, 'validation_error');
      expect(details['maxRunIds']).toBe(100);
    });

    it('takes a hundred', async () => {
      const runIds = Array.from({ length: 100 }, (_, index) => `nobody-${index}`);
      const { body } = await post('/v1/runs:bulk-cancel', { runIds });
      expect((body['results'] as { runId: string }[]).map(({ runId }) => runId)).toEqual(runIds);
    });
  });

  describe('a workflow', () => {
    it('can be read, under a tag', async () => {
      const { status, body, headers } = await get('/v1/workflows/named');
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: 'named', nodes: [{ id: 'step', typeId: 'core.noop' }] });
      const tag = String(headers['etag']);
      expect((await get('/v1/workflows/named', { 'if-none-match': tag })).status).toBe(304);
      expect((await get('/v1/workflows/plain', { 'if-none-match': tag })).status).toBe(200);
    });

    it.each(['nobody', 'No%20Id', '__proto__', 'a'.repeat(300)])('is unknown: %s', async (id) => {
      refused(await get(`/v1/workflows/${id}`), 404, 'not_found');
    });

    it('asks for its scope', async () => {
      refused(
        await get('/v1/workflows/named', {}, await gateway.newKey('acme', ['runs:read'])),
        403,
        'forbidden',
      );
      refused(await get('/v1/workflows/a%00b'), 400, 'validation_error');
    });
  });
});
