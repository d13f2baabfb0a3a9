import type { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { Scope } from '../domain/api-key.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';

const ABSENT = `art_${'A'.repeat(32)}`;

describe('erasure', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let runId: string;
  let artifactId: string;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });
  beforeEach(async () => {
    runId = await gateway.newRun();
    artifactId = await stored(runId, 'said');
  });

  async function stored(run: string, text: string, derivedFrom: readonly string[] = []): Promise<string> {
    const content = { role: 'user', text: `${run} ${text}` };
    const put = [{ type: 'message' as const, content, derivedFrom }];
    return (await gateway.ports.artifacts.put('acme', run, put))[0] ?? '';
  }

  const artifact = (id: string, run = runId): string => `/v1/runs/${run}/artifacts/${id}`;
  const content = (run = runId): string => `/v1/runs/${run}/content`;
  const erase = (url: string, key = gateway.key): Promise<Answer> =>
    gateway.ask({ method: 'DELETE', url, key });
  const read = (url: string): Promise<Answer> => gateway.ask({ method: 'GET', url });

  function refused({ status, body }: Answer, wanted: number, error: string): void {
    expect({ status, error: body['error'] }).toEqual({ status: wanted, error });
  }

  describe('of an artifact', () => {
    it('erases it with all that was derived from it, and answers the same when asked again', async () => {
      const derived = await stored(runId, 'in short', [artifactId]);
      const stays = await stored(runId, 'something else');
      for (const answer of [await erase(artifact(artifactId)), await erase(artifact(artifactId))]) {
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ artifactIds: [artifactId, derived] });
      }
      refused(await read(artifact(artifactId)), 410, 'artifact_erased');
      refused(await read(artifact(derived)), 410, 'artifact_erased');
      expect((await read(artifact(stays))).status).toBe(200);
    });

    it('erases what is damaged, which nobody can read any more', async () => {
      (gateway.ports.artifacts as MemoryArtifactStore).damage('acme', artifactId);
      refused(await read(artifact(artifactId)), 500, 'internal_error');
      expect((await erase(artifact(artifactId))).body).toEqual({ artifactIds: [artifactId] });
      refused(await read(artifact(artifactId)), 410, 'artifact_erased');
    });

    it('erases what a fork reads through it, for its source as well', async () => {
      const fork = await gateway.newRun();
      await gateway.ports.artifacts.linkFork('acme', fork, runId);
      expect((await erase(artifact(artifactId, fork))).body).toEqual({ artifactIds: [artifactId] });
      refused(await read(artifact(artifactId)), 410, 'artifact_erased');
    });

    it.each([ABSENT, 'art_x', 'x', "'%20OR%201=1"])('answers 404 to %s', async (id) =>
      refused(await erase(artifact(id)), 404, 'not_found'),
    );

    it('finds nothing of another run, and nothing of another tenant', async () => {
      const other = await gateway.newRun();
      refused(await erase(artifact(artifactId, other)), 404, 'not_found');
      refused(await erase(artifact(artifactId), await gateway.newKey('rival')), 404, 'not_found');
      refused(await erase(artifact(artifactId, 'run_nowhere')), 404, 'not_found');
      expect((await read(artifact(artifactId))).status).toBe(200);
    });
  });

  describe('of a run', () => {
    it('erases its content and answers how much it erased, asked again nothing; the run stays', async () => {
      await stored(runId, 'more');
      for (const erased of [2, 0]) {
        const answer = await erase(content());
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ runId, erased, kept: 0 });
      }
      refused(await read(artifact(artifactId)), 410, 'artifact_erased');
      expect((await read(`/v1/runs/${runId}`)).status).toBe(200);
    });

    it('keeps what a fork uses, until the fork is erased', async () => {
      const fork = await gateway.newRun();
      await gateway.ports.artifacts.linkFork('acme', fork, runId);
      for (const answer of [await erase(content()), await erase(content())])
        expect(answer.body).toEqual({ runId, erased: 0, kept: 1 });
      expect((await read(artifact(artifactId, fork))).status).toBe(200);
      expect((await erase(content(fork))).body).toEqual({ runId: fork, erased: 1, kept: 0 });
      refused(await read(artifact(artifactId)), 410, 'artifact_erased');
    });

    it('is done once under an idempotency key: what the run says afterwards stays', async () => {
      const once = (): Promise<Answer> =>
        gateway.ask({ method: 'DELETE', url: content(), headers: { 'idempotency-key': `erase-${runId}` } });
      await stored(runId, 'more');
      const first = await once();
      // Done again it would erase one, what is said later.
      expect(first.body).toEqual({ runId, erased: 2, kept: 0 });
      const later = await stored(runId, 'later');
      const again = await once();
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers['openwop-idempotent-replay']).toBe('true');
      expect((await read(artifact(later))).status).toBe(200);
    });

    it('answers 404 to a run that is not there, or of another tenant', async () => {
      refused(await erase(content('run_nowhere')), 404, 'not_found');
      refused(await erase(content(), await gateway.newKey('rival')), 404, 'not_found');
      expect((await read(artifact(artifactId))).status).toBe(200);
    });
  });

  it('takes a scope of its own, which reading, writing and cancelling do not bring', async () => {
    const others: Scope[] = ['runs:create', 'runs:read', 'runs:cancel', 'artifacts:read'];
    const key = await gateway.newKey('acme', others);
    for (const url of [artifact(artifactId), content()]) {
      const answer = await erase(url, key);
      refused(answer, 403, 'forbidden');
      expect(answer.body['details']).toEqual({ scopeRequired: 'artifacts:erase' });
    }
    expect((await read(artifact(artifactId))).status).toBe(200);
    const eraser = await gateway.newKey('acme', ['artifacts:erase']);
    expect((await erase(artifact(artifactId), eraser)).status).toBe(200);
  });

  it('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'GET'] as const)
      refused(await gateway.ask({ method, url: content() }), 405, 'method_not_allowed');
  });
});
