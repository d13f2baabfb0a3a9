import { waitUntil } from '@palimpsest/kernel/testing';
import type { Answer } from '../api-client.js';
import { rowsHolding } from '../database-search.js';
import type { Deployment } from '../deployment.js';
import { capsuleOf, currentOf, recordOf } from './lineage-facts.js';
import { CANDIDATE, signedEvidence } from './signed-evidence.js';

/** What a capsule says: content, that only the artifact store holds. */
export const BRIEFING = 'quetzal-lantern-2203';
/** Looks like a provider's key: nobody may hold it, the artifact store no more than the others. */
export const PRIVATE = `sk-${'proj0123456789abcdefghijklmnopqrst'}`;

/** What is not to be told either: a home, a folder of a machine, an address, a session's id, another provider's key. */
const FURTHER_PRIVATE: readonly string[] = [
  '~/quetzal-7781/id_rsa',
  '/workspace/quetzal-7781',
  'quetzal-7781@example.org',
  'session_quetzal77810123',
  `r8_${'quetzal7781'.repeat(2)}`,
];
/** Stands beside the contract's names in open facts; nobody reads it, and it is told to nobody. */
export const ASIDE = 'marmot-cellar-6640';
/** All that no message, no log line and no table may hold. */
export const UNTOLD: readonly string[] = [PRIVATE, 'quetzal-7781', 'quetzal7781', ASIDE];

const WORKGROUP = 'wg-flow';
const API = '/v1';

/** Work that is handed on over HTTP, from the coordinator's seat to the final gate; the cases build on each other. */
export function describeRegistryFlow(running: () => Deployment): void {
  const post = (path: string, body: object = {}): Promise<Answer> =>
    running().api.post(`${API}${path}`, body);
  const posted = (path: string, body?: object): Promise<Answer['json']> => running().api.ok(post(path, body));
  const got = (path: string): Promise<Answer['json']> => running().api.ok(running().api.get(`${API}${path}`));
  const here = (path: string): string => `/workgroups/${WORKGROUP}${path}`;
  const present = { workgroupId: WORKGROUP, role: 'api-builder' };

  it('gives one coordinator the seat, and keeps the briefing it hands on', async () => {
    const seated = await posted(here(':coordinate'), { phase: '2A' });
    expect(seated).toMatchObject({ phase: '2A', coordinator: { fence: 1 } });
    expect(await post(here(':coordinate'))).toMatchObject({ status: 409, json: { error: 'seat_taken' } });
    const sealed = await posted(here('/capsules'), { capsule: capsuleOf(WORKGROUP, `Name ${BRIEFING}.`) });
    const kept = await got(here(`/capsules/${String(sealed.capsuleHash)}`));
    expect(kept).toMatchObject({ objective: `Name ${BRIEFING}.`, capsule_hash: sealed.capsuleHash });
  });

  it('records a delegation before it is made, and says how to make it', async () => {
    const delegated = await posted(here('/delegations'), {
      taskId: 'T-9',
      nodeId: 'Fork',
      role: 'api-builder',
      ownedFiles: ['src/api'],
      dependenciesReady: true,
      coupling: 'independent',
      sensitivity: 'normal',
      independentReviewer: false,
      expectedReuse: 'high',
      environment: 'default',
      family: 'capsules',
      ...aside('routing', { team: { note: ASIDE, scopes: [] }, inheritance: { note: ASIDE } }),
      ...aside('current', {}),
      ...aside('resultPolicy', {}),
    });
    expect(delegated).toMatchObject({ mode: 'fresh-capsule', ownedPaths: ['src/api'], phase: '2A' });
    expect((await got(here('/delegations'))).delegations).toEqual([delegated]);
  });

  it('lets two builders write apart, and refuses one whose paths overlap', async () => {
    const build = (lineageId: string, role: string, path: string) =>
      post(here('/lineages'), { record: recordOf({ lineageId, role }), ownedFiles: [path] });
    expect(await build('flow-api', 'api-builder', 'src/api')).toMatchObject({
      status: 201,
      json: { fence: 2 },
    });
    expect(await build('flow-ui', 'ui-builder', 'SRC/api/routes.ts')).toMatchObject({
      status: 409,
      json: { error: 'writer_scope_conflict', details: { lineageId: 'flow-api' } },
    });
    expect(await build('flow-ui', 'ui-builder', 'src/ui')).toMatchObject({ status: 201, json: { fence: 3 } });
    const { paths } = await got(here('/owned-paths'));
    expect(paths).toMatchObject([
      { path: 'src/api', lineageId: 'flow-api', fence: 2 },
      { path: 'src/ui', lineageId: 'flow-ui', fence: 3 },
    ]);
  });

  it('refuses whoever does not hold the fence, at the write', async () => {
    const stale = { status: 409, json: { error: 'stale_fence' } };
    expect(await post('/lineages/flow-api:renew', { fence: 3 })).toMatchObject(stale);
    expect(await post('/lineages/flow-api:release', { fence: 1 })).toMatchObject(stale);
    expect(await post(here(':advance'), { fence: 2, phase: '2B' })).toMatchObject(stale);
    expect(await posted('/lineages/flow-api:renew', { fence: 2 })).toMatchObject({ fence: 2 });
  });

  it('lets a warm worker go on where nothing has changed', async () => {
    expect(await posted('/lineages/flow-api:release', { fence: 2 })).toMatchObject({ status: 'idle' });
    const resumed = await posted('/lineages/flow-api:resume', {
      ...aside('current', currentOf(present)),
      ...aside('record', recordOf({ lineageId: 'flow-api', role: 'api-builder' })),
    });
    expect(resumed).toMatchObject({ fence: 4, lineage: { status: 'held', grant: 'resume' } });
    expect(await post('/lineages/flow-api:renew', { fence: 2 })).toMatchObject({ status: 409 });
  });

  it('records a result by what the contract knows of its policy', async () => {
    const policy = { fence: 4, taskId: 'T-9', ...aside('policy', { material: true }) };
    expect(await posted('/lineages/flow-api/results', policy)).toMatchObject({ mode: 'durable' });
    const record = { ...recordOf({ lineageId: 'flow-none', role: 'scout' }), note: ASIDE };
    expect(await post(here('/lineages'), { record })).toMatchObject({
      status: 400,
      json: { error: 'validation_error', details: { field: 'record' } },
    });
  });

  it('refuses where something has, and tells what', async () => {
    await posted('/lineages/flow-api:release', { fence: 4 });
    const refused = await post('/lineages/flow-api:resume', {
      current: currentOf({ ...present, specHash: 'spec-2' }),
    });
    const verdict = { state: 'INVALID', invalidations: ['SPEC_MISMATCH'] };
    expect(refused).toMatchObject({ status: 409, json: { error: 'resume_refused', details: verdict } });
    const lineage = await got('/lineages/flow-api');
    expect(lineage).toMatchObject({ status: 'evicted', eviction: 'INCOMPATIBLE' });
    expect(lineage.refusals).toMatchObject([{ code: 'resume_refused', ...verdict }]);
  });

  it('refuses a private value in any request, and keeps none', async () => {
    const refused = { status: 422, json: { error: 'private_content' } };
    const record = { ...recordOf({ lineageId: 'flow-leak', role: 'scout' }), scope: `Use ${PRIVATE}.` };
    expect(await post(here('/lineages'), { record })).toMatchObject(refused);
    for (const subject of [PRIVATE, ...FURTHER_PRIVATE]) {
      expect(await post(here(':approve'), { fence: 1, subject })).toMatchObject(refused);
      expect(await post('/lineages/flow-api:resume', aside('current', { model: subject }))).toMatchObject(
        refused,
      );
    }
    const [home = ''] = FURTHER_PRIVATE;
    const leaving = { record: recordOf({ lineageId: 'flow-leak', role: 'api-builder' }), ownedFiles: [home] };
    expect(await post(here('/lineages'), leaving)).toMatchObject(refused);
    const capsule = capsuleOf(WORKGROUP, `Call it with ${PRIVATE}.`);
    expect(await post(here('/capsules'), { capsule })).toMatchObject({
      status: 422,
      json: { error: 'context_refused', details: { contractCode: 'CAPSULE_PRIVATE_CONTENT' } },
    });
    const event = {
      event: 'worker_usage',
      observed_at: '2031-03-10T12:00:00Z',
      provider: 'claude',
      model: PRIVATE,
    };
    expect((await post('/telemetry/events', { events: [{ id: 'leak-1', event }] })).status).toBe(422);
    expect(await posted('/context/capsule', { capsule })).toMatchObject({
      ok: false,
      code: 'CAPSULE_PRIVATE_CONTENT',
    });
  });

  it('moves on by the coordinator’s act alone, and ends all work at the final gate', async () => {
    expect(await posted(here(':advance'), { fence: 1, phase: '2B' })).toMatchObject({ phase: '2B' });
    await posted(here(':approve'), { fence: 1, subject: 'audit', finalGate: true });
    const { lineages } = await got(here('/lineages?evicted=true'));
    expect(lineages).toMatchObject([
      { lineageId: 'flow-api', eviction: 'INCOMPATIBLE' },
      { lineageId: 'flow-ui', eviction: 'FINAL_GATE' },
    ]);
    expect((await got(here('/owned-paths'))).paths).toEqual([]);
    expect(await got(here(''))).toMatchObject({ phase: '2B', lineages: { held: 0, idle: 0 } });
  });

  it('promotes by signed measurements that pass every gate, and each of them once', async () => {
    const family = 'capsules';
    const at = (environment: string, step = ''): string => `/rollouts/${environment}${step}`;
    const environments = ['flow-one', 'flow-other'];
    for (const environment of environments) {
      await posted(at(environment), { family, stage: 'observe', candidate: CANDIDATE });
      await posted(at(environment, ':select'), { family, actualMode: 'fresh-capsule' });
      await posted(at(environment), { family, stage: 'shadow' });
      await posted(at(environment, ':select'), { family, actualMode: 'fresh-capsule' });
    }
    const evidence = signedEvidence();
    const promotions = await Promise.all(
      environments.map((environment) => posted(at(environment, '/promotions'), { family, ...evidence })),
    );
    expect(promotions.filter(({ promoted }) => promoted === true)).toHaveLength(1);
    const refused = promotions.find(({ promoted }) => promoted === false);
    expect(failedGates(refused)).toEqual(['provenance']);
    const winner = environments[promotions.findIndex(({ promoted }) => promoted === true)] ?? '';
    const report = at(winner, `/report?family=${family}`);
    expect(await got(report)).toMatchObject({
      rollout: { stage: 'canary', canaryPercent: 10, active: false },
      promotion: { promoted: true, gates: expect.arrayContaining([MEDIAN_COST]) },
      observed: [],
    });
    const taskCorpusId = 'backend-refactor-12';
    const recommended = { recommendedMode: 'resume', reasonCodes: ['RESUME_COMPATIBLE'], taskCorpusId };
    await posted(at(winner, ':select'), { family, actualMode: 'fresh-capsule', ...recommended });
    const worked = { event: 'worker_completed', observed_at: '2031-03-10T12:00:00Z', provider: 'claude' };
    const event = { ...worked, task_corpus_id: taskCorpusId, outcome: { elapsed_ms: 250 } };
    await posted('/telemetry/events', { environment: winner, events: [{ id: 'worked', event }] });
    expect(await got(report)).toMatchObject({
      rollout: { active: true },
      observed: [
        {
          mode: 'fresh-capsule',
          events: 2,
          billed: { known: 0, meanAmount: null },
          latency: { known: 1, meanElapsedMs: 250 },
        },
      ],
    });
  });

  it('records what a run of this host came to, with what is unknown as null', async () => {
    const { runId } = await posted('/runs', { workflowId: 'palimpsest-external' });
    await posted(`/runs/${String(runId)}/turns`, { messages: [{ role: 'user', content: BRIEFING }] });
    await posted(`/runs/${String(runId)}/windows`);
    const { lastSequence } = await posted(`/runs/${String(runId)}/finish`);
    const id = `run:evt-${String(runId)}-${String(lastSequence)}`;
    const told = await waitForTelemetry(running(), id);
    expect(told).toMatchObject({
      event: 'worker_completed',
      logical: { compaction_count: null, repeated_file_reads: null },
      billed: { amount: null, output_tokens: null, accounting_source: 'unknown' },
    });
  });

  it('keeps briefings in the artifact store, and private values nowhere', async () => {
    expect(Object.keys(await rowsHolding(running().pool, BRIEFING))).toEqual(['artifact_store']);
    for (const untold of UNTOLD) expect(await rowsHolding(running().pool, untold)).toEqual({});
    const saying = running()
      .logLines()
      .filter(({ text }) => [BRIEFING, ...UNTOLD].some((said) => text.includes(said)));
    expect(saying.map(({ app }) => app)).toEqual([]);
  });
}

/** Open facts of a request, with something beside them that the contract does not know. */
function aside(name: string, facts: object): object {
  return { [name]: { ...facts, note: ASIDE, notes: [{ [ASIDE]: ASIDE }] } };
}

const MEDIAN_COST = { gate: 'median_cost', figure: 0.25, threshold: 0.25, passed: true };

type Gates = { readonly gates?: readonly { readonly gate: string; readonly passed: boolean }[] };

function failedGates(promotion: Gates | undefined): readonly string[] {
  return (promotion?.gates ?? []).filter(({ passed }) => !passed).map(({ gate }) => gate);
}

type Told = { readonly id: string; readonly event: Readonly<Record<string, unknown>> };

/** The efficiency event of an id, once it is there; of the environment `default`. */
export async function waitForTelemetry({ api }: Pick<Deployment, 'api'>, id: string): Promise<Told['event']> {
  let found: Told | undefined;
  await waitUntil(
    async () => {
      let after: number | undefined = 0;
      while (after !== undefined && !found) {
        const page = await api.ok(api.get(`/v1/telemetry/events?limit=500&after=${after}`));
        found = (page.events as readonly Told[]).find((told) => told.id === id);
        after = page.next as number | undefined;
      }
      return found !== undefined;
    },
    { withinMs: 20_000, what: `the efficiency event ${id}` },
  );
  return found?.event ?? {};
}
