import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { canonicalJson } from '@palimpsest/context-efficiency';
import { CAPSULE, PRIVATE_VALUES } from '@palimpsest/context-efficiency/testing';
import { errorEnvelopeSchema, type JsonObject } from '@palimpsest/contracts';
import type { RecordCapsule } from '@palimpsest/contracts/registry';
import { NotFoundError } from '@palimpsest/kernel';
import { workgroupScope } from '../domain/artifact-scopes.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';
import { KeptLog } from '../testing/kept-log.js';

const url = '/v1/workgroups/wg-2/capsules';
/** Of the contract's example (§6). */
const HASH = 'sha256:46af7edae92b3c129c9497309b0cf71add834cf962b3c69b9fefc9767cd06555';
const SEALED = { ...CAPSULE, capsule_hash: HASH };
const EVIDENCE = Array.from({ length: 4 }, () => ({ kind: 'log', summary: 'x'.repeat(500) }));

describe('capsules over HTTP', () => {
  const log = new KeptLog();
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { ports: { logger: log } });
  });
  beforeEach(() => gateway.registry.reset());
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const record = (json: unknown, headers = {}): Promise<Answer> =>
    gateway.ask({ method: 'POST', url, json, headers });
  const recorded = (): readonly RecordCapsule[] =>
    gateway.registry.askedOf('recordCapsule') as readonly RecordCapsule[];
  /** Of the capsule that was recorded last. */
  function findRecorded(): void {
    const [{ artifactId, taskId, phase, bytes } = SEALED_NOWHERE] = recorded();
    const recordedAt = '2026-01-02T03:04:05.678Z';
    gateway.registry.answer('findCapsule', ({ capsuleHash }) => ({
      capsuleHash,
      artifactId,
      taskId,
      phase,
      bytes,
      recordedAt,
    }));
  }
  const SEALED_NOWHERE = { artifactId: '', taskId: '', phase: '1A', bytes: 1 } as const;

  function refused(answer: Answer, status: number, error: string): JsonObject | undefined {
    const refusal = errorEnvelopeSchema.parse(answer.body);
    expect([answer.status, refusal.error]).toEqual([status, error]);
    return refusal.details;
  }

  it('are sealed, stored, and recorded by what is known of them beside', async () => {
    const answer = await record({ capsule: { ...CAPSULE, capsule_hash: null } });
    expect([answer.status, answer.body]).toEqual([
      201,
      { capsuleHash: HASH, bytes: 421, taskId: 'T-9', phase: '1B' },
    ]);
    expect(recorded()).toEqual([
      {
        tenantId: 'acme',
        workgroupId: 'wg-2',
        capsuleHash: HASH,
        artifactId: expect.any(String),
        taskId: 'T-9',
        phase: '1B',
        bytes: 421,
      },
    ]);
    const scope = workgroupScope('wg-2');
    expect(scope).toMatch(/^workgroup-[0-9a-f]{32}$/);
    const { artifactId } = recorded()[0] ?? SEALED_NOWHERE;
    expect(await gateway.ports.artifacts.getForRun('acme', scope, artifactId)).toMatchObject({
      type: 'context.capsule',
      content: SEALED,
    });
  });

  it('are read as they were sealed, by a hash with its colon as it is or escaped', async () => {
    await record({ capsule: CAPSULE });
    findRecorded();
    for (const hash of [HASH, HASH.replace(':', '%3A')]) {
      const answer = await gateway.ask({ method: 'GET', url: `${url}/${hash}` });
      expect([answer.status, canonicalJson(answer.body)]).toEqual([200, canonicalJson(SEALED)]);
    }
    const query = { tenantId: 'acme', workgroupId: 'wg-2', capsuleHash: HASH };
    expect(gateway.registry.askedOf('findCapsule')).toEqual([query, query]);
  });

  it('are one where they are the same, and gone once erased', async () => {
    const capsule = { ...CAPSULE, objective: 'Another one.' };
    await record({ capsule });
    await record({ capsule: { ...capsule, capsule_hash: HASH } });
    const [first, second] = recorded();
    expect(second).toEqual(first);
    findRecorded();
    await gateway.ports.artifacts.erase('acme', first?.artifactId ?? '');
    const read = await gateway.ask({ method: 'GET', url: `${url}/${first?.capsuleHash ?? ''}` });
    refused(read, 410, 'artifact_erased');
    refused(await record({ capsule }), 410, 'artifact_erased');
    expect(recorded()).toHaveLength(2);
  });

  it('are known by their hash, in their workgroup', async () => {
    gateway.registry.answer('findCapsule', () => {
      throw new NotFoundError('The capsule');
    });
    refused(await gateway.ask({ method: 'GET', url: `${url}/${HASH}` }), 404, 'not_found');
    gateway.registry.reset();
    await record({ capsule: CAPSULE });
    findRecorded();
    // Content of another workgroup, should the registry name it.
    const elsewhere = await gateway.ask({ method: 'GET', url: `/v1/workgroups/wg-3/capsules/${HASH}` });
    refused(elsewhere, 404, 'not_found');
    const rival = await gateway.ask({
      method: 'GET',
      url: `${url}/${HASH}`,
      key: await gateway.newKey('rival'),
    });
    refused(rival, 404, 'not_found');
    gateway.registry.reset();
    for (const hash of ['sha256', HASH.slice(0, -1), HASH.toUpperCase(), `${HASH}0`, 'x', '__proto__']) {
      refused(await gateway.ask({ method: 'GET', url: `${url}/${hash}` }), 404, 'not_found');
    }
    refused(await gateway.ask({ method: 'GET', url: `${url}/a%00b` }), 400, 'validation_error');
    expect(gateway.registry.asked).toEqual([]);
  });

  it('move their evidence out where that is authorized', async () => {
    const capsule = { ...CAPSULE, evidence: EVIDENCE };
    const artifactPath = 'knowzcode/artifacts/e.json';
    const moved = { capsule, maxBytes: 600, artifactPath, artifactRoots: ['knowzcode/artifacts'] };
    const { status, body } = await record(moved);
    expect([status, Number(body['bytes']) <= 600]).toEqual([201, true]);
    expect(refused(await record({ capsule, maxBytes: 600 }), 422, 'context_refused')).toEqual({
      contractCode: 'CAPSULE_MANDATORY_OVERFLOW',
    });
    expect(refused(await record({ ...moved, artifactRoots: ['docs'] }), 422, 'context_refused')).toEqual({
      contractCode: 'CAPSULE_ARTIFACT_REF_UNAUTHORIZED',
    });
  });

  it.each([
    [420, 422],
    [421, 201],
    [422, 201],
  ])('have at most maxBytes: %p', async (maxBytes, status) => {
    expect((await record({ capsule: CAPSULE, maxBytes })).status).toBe(status);
  });

  it.each<[string, object]>([
    ['CAPSULE_SCHEMA_INVALID', { ...CAPSULE, phase: '9' }],
    ['CAPSULE_SCHEMA_INVALID', {}],
    ['CAPSULE_STRING_TOO_LONG', { ...CAPSULE, objective: 'é'.repeat(2049) }],
    ['CAPSULE_ARTIFACT_REF_INVALID', { ...CAPSULE, owned_files: ['../x'] }],
    ['CAPSULE_PRIVATE_CONTENT', { ...CAPSULE, constraints: ['the bearer of it'] }],
  ])('are refused as the contract says: %s', async (contractCode, capsule) => {
    expect(refused(await record({ capsule }), 422, 'context_refused')).toEqual({ contractCode });
    expect(gateway.registry.asked).toEqual([]);
  });

  it('say nothing of what is private, wherever it stands', async () => {
    const secrets = Object.values(PRIVATE_VALUES);
    for (const [index, secret] of secrets.entries()) {
      const bodies = [
        { capsule: { ...CAPSULE, risks: [secret] } },
        { capsule: { ...CAPSULE, [secret]: 1 } },
        { capsule: CAPSULE, artifactPath: secret },
        { capsule: CAPSULE, [secret]: 1 },
      ];
      const { status, text } = await record(bodies[index % bodies.length]);
      expect([status, text.includes(JSON.stringify(secret).slice(1, -1))]).toEqual([422, false]);
    }
    refused(await record({ capsule: { ...CAPSULE, task_id: 'ada@example.org' } }), 422, 'private_content');
    const objective = `Ask with hf_${'a'.repeat(20)}.`;
    refused(await record({ capsule: { ...CAPSULE, objective } }), 422, 'private_content');
    const logged = log.lines.join('\n');
    expect(secrets.filter((secret) => logged.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
    expect(logged).not.toContain('ada@example.org');
    expect(gateway.registry.asked).toEqual([]);
  });

  it('are of the workgroup of the path', async () => {
    const details = refused(
      await record({ capsule: { ...CAPSULE, workgroup_id: 'wg-3' } }),
      400,
      'validation_error',
    );
    expect(details).toEqual({ field: 'capsule.workgroup_id' });
    for (const named of ['-a', 'a%20b', 'x'.repeat(129), 'run-20310301']) {
      const answer = await gateway.ask({
        method: 'POST',
        url: `/v1/workgroups/${named}/capsules`,
        json: { capsule: CAPSULE },
      });
      refused(answer, 404, 'not_found');
    }
    expect(gateway.registry.asked).toEqual([]);
  });

  it.each([
    {},
    null,
    CAPSULE,
    { capsule: null },
    { capsule: [] },
    { capsule: 'x' },
    { capsule: { ...CAPSULE, objective: 'a\u0000' } },
    { capsule: { ...CAPSULE, objective: '\ud800' } },
    { capsule: CAPSULE, maxBytes: 0 },
    { capsule: CAPSULE, maxBytes: '600' },
    { capsule: CAPSULE, artifactPath: 1 },
    { capsule: CAPSULE, artifactRoots: 'docs' },
    { capsule: CAPSULE, max_bytes: 600 },
  ])('are not made of %j', async (json) => {
    refused(await record(json), 400, 'validation_error');
    expect(gateway.registry.asked).toEqual([]);
  });

  it('are recorded once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'capsule-1' };
    const first = await record({ capsule: CAPSULE }, headers);
    const again = await record({ capsule: CAPSULE }, headers);
    expect([again.status, again.body, again.headers['openwop-idempotent-replay']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(recorded()).toMatchObject([{ commandId: expect.stringMatching(/^cmd_/) as string }]);
  });

  it('take a scope each', async () => {
    const reader = await gateway.newKey('acme', ['workgroups:read', 'workgroups:coordinate']);
    const writer = await gateway.newKey('acme', ['workgroups:write', 'workgroups:coordinate']);
    const written = await gateway.ask({ method: 'POST', url, json: { capsule: CAPSULE }, key: reader });
    expect(refused(written, 403, 'forbidden')).toEqual({ scopeRequired: 'workgroups:write' });
    const read = await gateway.ask({ method: 'GET', url: `${url}/${HASH}`, key: writer });
    expect(refused(read, 403, 'forbidden')).toEqual({ scopeRequired: 'workgroups:read' });
  });
});
