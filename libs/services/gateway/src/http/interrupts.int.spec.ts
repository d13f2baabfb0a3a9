import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema, type JsonObject } from '@palimpsest/contracts';
import type { Scope } from '../domain/api-key.js';
import type { TokenPayload } from '../domain/interrupt-token.js';
import { InterruptTokens } from '../handlers/interrupt-tokens.js';
import { runSnapshotSchema, shownInterruptSchema } from '../openapi/response-schemas.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';

const MINUTE = 60_000;
const accept = { resumeValue: { action: 'accept' } };

describe('interrupts', () => {
  let now: Date;
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { ports: { clock: { now: () => now } } });
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  let runId: string;
  beforeEach(async () => {
    now = new Date('2026-02-03T04:06:00Z');
    runId = await waitingRun();
  });

  const post = (
    url: string,
    json?: unknown,
    key: string | null = gateway.key,
    headers = {},
  ): Promise<Answer> =>
    gateway.ask({ method: 'POST', url, key, headers, ...(json !== undefined && { json }) });
  const get = (url: string, key: string | null = gateway.key): Promise<Answer> =>
    gateway.ask({ method: 'GET', url, key });
  const waitingRun = async (): Promise<string> =>
    textIn((await post('/v1/runs', { workflowId: 'gated' })).body, 'runId');
  const interruptOf = async (run: string): Promise<Record<string, string>> =>
    (await get(`/v1/runs/${run}`)).body['interrupt'] as Record<string, string>;
  const linkTo = (token = ''): string => `/v1/interrupts/${token}`;

  function refused(answer: Answer, status: number, error: string): JsonObject {
    expect([answer.status, errorEnvelopeSchema.parse(answer.body).error]).toEqual([status, error]);
    return (answer.body['details'] ?? {}) as JsonObject;
  }

  describe('on a snapshot', () => {
    it('stand with the node that waits', async () => {
      const { body } = await get(`/v1/runs/${runId}`);
      expect(runSnapshotSchema.parse(body)).toMatchObject({
        status: 'waiting-approval',
        currentNodeId: 'step',
        nodeStates: { step: { status: 'suspended', kind: 'approval', interruptId: `${runId}:step:0` } },
        interrupt: {
          interruptId: `${runId}:step:0`,
          key: `${runId}:step:0`,
          kind: 'approval',
          nodeId: 'step',
          data: { title: 'Go on?' },
          callbackUrl: linkTo((await interruptOf(runId))['interruptToken']),
        },
      });
    });

    it('show their tokens to those alone who may answer', async () => {
      const readers: readonly Scope[][] = [['runs:read'], ['runs:read', 'runs:cancel']];
      for (const scopes of readers) {
        const { body } = await get(`/v1/runs/${runId}`, await gateway.newKey('acme', scopes));
        expect(Object.keys(body['interrupt'] as object).sort()).toEqual([
          'data',
          'interruptId',
          'key',
          'kind',
          'nodeId',
        ]);
      }
    });

    it('keep their token for a while, so that the run stays the same text', async () => {
      const before = await get(`/v1/runs/${runId}`);
      now = new Date(now.getTime() + 3 * MINUTE);
      expect((await get(`/v1/runs/${runId}`)).text).toBe(before.text);
      now = new Date(now.getTime() + 3 * MINUTE);
      const later = await get(`/v1/runs/${runId}`);
      expect(later.headers['etag']).not.toBe(before.headers['etag']);
    });
  });

  describe('answered with a key', () => {
    const url = (node = 'step'): string => `/v1/runs/${runId}/interrupts/${node}`;

    it('let the run go on', async () => {
      expect(await post(url(), accept)).toMatchObject({ status: 200, body: { runId, status: 'completed' } });
      expect(gateway.runLog.engine.resolved.at(-1)).toEqual({
        tenantId: 'acme',
        runId,
        nodeId: 'step',
        resumeValue: { action: 'accept' },
        decidedBy: expect.stringMatching(/^key:[A-Za-z0-9]{12}$/),
      });
      expect((await get(`/v1/runs/${runId}`)).body).not.toHaveProperty('interrupt');
      refused(await post(url(), accept), 409, 'interrupt_already_resolved');
    });

    it('are recorded without secrets', async () => {
      const comment = `use AKIA${'Q'.repeat(16)}`;
      await post(url(), { resumeValue: { action: 'accept', comment } });
      expect(gateway.runLog.engine.resolved.at(-1)?.resumeValue).toEqual({
        action: 'accept',
        comment: 'use [redacted]',
      });
    });

    it('are refused where nothing waits', async () => {
      for (const node of ['nobody', 'no%20node', 'a'.repeat(200)]) {
        refused(await post(url(node), accept), 404, 'interrupt_not_found');
      }
      refused(await post(url('a%00'), accept), 400, 'validation_error');
      refused(await post('/v1/runs/nobody/interrupts/step', accept), 404, 'not_found');
      const own = await gateway.newRun();
      refused(await post(`/v1/runs/${own}/interrupts/step`, accept), 404, 'interrupt_not_found');
      await post(`/v1/runs/${runId}/cancel`);
      refused(await post(url(), accept), 422, 'interrupt_cancelled');
    });

    it('are refused to others', async () => {
      refused(await post(url(), accept, null), 401, 'unauthenticated');
      refused(await post(url(), accept, await gateway.newKey('rival')), 404, 'not_found');
      refused(await post(url(), accept, await gateway.newKey('acme', ['runs:create'])), 403, 'forbidden');
    });

    it.each([[{}], [null], [[]], ['accept'], [{ resumeValue: 'a\u0000' }], [{ action: 'accept' }]])(
      'have to be what is asked for: %j',
      async (json) => {
        refused(await post(url(), json), 400, 'validation_error');
      },
    );

    it('have to fit the interrupt', async () => {
      refused(await post(url(), { resumeValue: { action: 'maybe' } }), 400, 'validation_error');
      expect((await post(url(), accept)).status).toBe(200);
    });

    it('have no other path', async () => {
      refused(await post(`/v1/runs/${runId}/approvals/step`, { action: 'accept' }), 404, 'not_found');
    });

    it('are answered once for one Idempotency-Key', async () => {
      const keyed = (json: unknown) =>
        post(url(), json, gateway.key, { 'idempotency-key': `answer-${runId}` });
      const first = await keyed(accept);
      expect(await keyed(accept)).toMatchObject({
        status: 200,
        body: first.body,
        headers: { 'openwop-idempotent-replay': 'true' },
      });
      refused(await keyed({ resumeValue: { action: 'reject' } }), 409, 'idempotency_key_mismatch');
    });
  });

  describe('of a token', () => {
    const tokenWith = async (changes: Partial<TokenPayload>): Promise<string> =>
      gateway.app.get(InterruptTokens, { strict: false }).sign({
        tenantId: 'acme',
        runId,
        nodeId: 'step',
        interruptId: `${runId}:step:0`,
        expiresAt: now.getTime() + MINUTE,
        intent: 'resolve',
        ...changes,
      });

    it('are shown and answered without a key', async () => {
      const { interruptToken, inspectToken } = await interruptOf(runId);
      for (const token of [interruptToken, inspectToken]) {
        const shown = await get(linkTo(token), null);
        expect(shown.headers['cache-control']).toBe('no-store');
        expect(shownInterruptSchema.parse(shown.body)).toEqual({
          runId,
          nodeId: 'step',
          interruptId: `${runId}:step:0`,
          kind: 'approval',
          data: { title: 'Go on?' },
          expiresAt: '2026-02-03T04:35:00.000Z',
        });
      }
      const answer = await post(linkTo(interruptToken), accept, null);
      expect(answer).toMatchObject({ status: 200, body: { runId, status: 'completed' } });
      expect(gateway.runLog.engine.resolved.at(-1)).toMatchObject({
        interruptId: `${runId}:step:0`,
        decidedBy: 'token',
      });
    });

    it('are answered once', async () => {
      const { interruptToken, inspectToken } = await interruptOf(runId);
      await post(linkTo(interruptToken), accept, null);
      refused(await post(linkTo(interruptToken), accept, null), 409, 'interrupt_already_resolved');
      for (const token of [interruptToken, inspectToken]) {
        refused(await get(linkTo(token), null), 409, 'interrupt_already_resolved');
      }
    });

    it('go with their run', async () => {
      const { interruptToken } = await interruptOf(runId);
      await post(`/v1/runs/${runId}/cancel`);
      refused(await post(linkTo(interruptToken), accept, null), 409, 'interrupt_already_resolved');
      refused(await get(linkTo(interruptToken), null), 409, 'interrupt_already_resolved');
    });

    it('are not answered by a token that only shows them', async () => {
      const { inspectToken } = await interruptOf(runId);
      expect(refused(await post(linkTo(inspectToken), accept, null), 403, 'forbidden')).toEqual({
        intentRequired: 'resolve',
      });
      expect((await get(`/v1/runs/${runId}`)).body['status']).toBe('waiting-approval');
    });

    it('are neither shown nor answered when the token has expired', async () => {
      const { interruptToken } = await interruptOf(runId);
      now = new Date('2026-02-03T04:34:59.999Z');
      expect((await get(linkTo(interruptToken), null)).status).toBe(200);
      now = new Date('2026-02-03T04:35:00Z');
      refused(await get(linkTo(interruptToken), null), 410, 'interrupt_expired');
      refused(await post(linkTo(interruptToken), accept, null), 410, 'interrupt_expired');
      expect((await get(`/v1/runs/${runId}`)).body['status']).toBe('waiting-approval');
    });

    it.each([
      'x',
      'tok_abc',
      'a.b',
      `a.${'b'.repeat(43)}!`,
      'no%20token',
      `${'a'.repeat(950)}.${'b'.repeat(43)}`,
    ])('need a token: %s', async (text) => {
      for (const answer of [await get(linkTo(text), null), await post(linkTo(text), accept, null)]) {
        refused(answer, 404, 'interrupt_not_found');
      }
    });

    it('need a token that is text', async () => {
      for (const text of ['a%00b', '%ED%A0%80']) {
        refused(await get(linkTo(text), null), 400, 'validation_error');
        refused(await post(linkTo(text), accept, null), 400, 'validation_error');
      }
    });

    it('need a token of this host, as it was made', async () => {
      const { interruptToken = '' } = await interruptOf(runId);
      const [payload = '', signature = ''] = interruptToken.split('.');
      const forged = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), tenantId: 'rival' };
      const other = Buffer.from(JSON.stringify(forged)).toString('base64url');
      const turned = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      for (const token of [`${other}.${signature}`, `${payload}.${turned}`, `${payload}.${'A'.repeat(43)}`]) {
        refused(await get(linkTo(token), null), 404, 'interrupt_not_found');
        refused(await post(linkTo(token), accept, null), 404, 'interrupt_not_found');
      }
      refused(await get(linkTo(await tokenWith({ runId: 'nobody' })), null), 404, 'interrupt_not_found');
      refused(await get(linkTo(await tokenWith({ tenantId: 'rival' })), null), 404, 'interrupt_not_found');
      const earlier = await tokenWith({ interruptId: `${runId}:step:7` });
      refused(await get(linkTo(earlier), null), 409, 'interrupt_already_resolved');
    });

    it('are known to every instance over one database, and to no other deployment', async () => {
      const { interruptToken } = await interruptOf(runId);
      const { eventLog, runLog } = gateway.ports;
      const ports = { eventLog, runLog, clock: { now: () => now } };
      const elsewhere = await createTestDatabase([gatewayMigrations]);
      const [second, stranger] = await Promise.all([
        startGateway(database.pool, { ports }),
        startGateway(elsewhere.pool, { ports }),
      ]);
      const url = linkTo(interruptToken);
      expect((await second.ask({ method: 'GET', url, key: null })).status).toBe(200);
      refused(await stranger.ask({ method: 'GET', url, key: null }), 404, 'interrupt_not_found');
      await Promise.all([second.close(), stranger.close()]);
      await elsewhere.drop();
    });

    it('take an Idempotency-Key in the name of the token’s tenant', async () => {
      const { interruptToken } = await interruptOf(runId);
      const keyed = (json: unknown) =>
        post(linkTo(interruptToken), json, null, { 'idempotency-key': 'by-token' });
      const first = await keyed(accept);
      expect(first.status).toBe(200);
      const again = await keyed(accept);
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(again.headers['openwop-idempotent-replay']).toBe('true');
      refused(await keyed({ resumeValue: 1 }), 409, 'idempotency_key_mismatch');
      const { rows } = await database.pool.query(
        `SELECT tenant_id FROM gateway.idempotency WHERE answer::text LIKE '%${runId}%'`,
      );
      expect(rows).toEqual([{ tenant_id: 'acme' }]);
    });

    it('are one request to their Idempotency-Key, whichever of their tokens it is sent with', async () => {
      const { interruptToken } = await interruptOf(runId);
      const newer = await tokenWith({ expiresAt: now.getTime() + 7 * MINUTE });
      expect(newer).not.toBe(interruptToken);
      const sent = (token: string | undefined) =>
        post(linkTo(token), accept, null, { 'idempotency-key': 'two-tokens' });
      expect((await sent(interruptToken)).status).toBe(200);
      expect(await sent(newer)).toMatchObject({
        status: 200,
        headers: { 'openwop-idempotent-replay': 'true' },
      });
    });
  });
});
