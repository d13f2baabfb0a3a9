import { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import type { ArtifactType, JsonObject, JsonValue } from '@palimpsest/contracts';
import {
  promotionSchema,
  REGISTRY_SUBJECTS,
  rolloutReportSchema,
  rolloutsSchema,
  rolloutViewSchema,
  selectionSchema,
} from '@palimpsest/contracts/registry';
import { MemoryRolloutStore } from '../store/memory-rollout-store.js';
import { MemoryTelemetry } from '../store/memory-telemetry.js';
import { CANDIDATE, EVIDENCE_ID, TRUSTED_KEYS } from '../testing/rollout-cases.js';
import { codeOr, freshEvidence } from '../testing/rollout-store-contract.js';
import { efficiencyEvent } from '../testing/telemetry-events.js';
import { rolloutRequests, type RolloutPorts } from './rollout-requests.js';

const KEY = { tenantId: 'acme', environment: 'staging' };
const REUSE = { ...KEY, family: 'reuse' };
const LEAVING = { stage: 'observe', candidate: CANDIDATE };
const SELECTION = {
  actualMode: 'local',
  recommendedMode: 'resume',
  reasonCodes: ['RESUME_COMPATIBLE'],
  taskCorpusId: 'backend-refactor-12',
};

type Subject = 'readRollouts' | 'changeStage' | 'select' | 'promote' | 'rolloutReport';

/** The system's, so that evidence is new, and further by what a case says. */
let further = 0;
const clock = { now: () => new Date(Date.now() + further) };
let artifacts: MemoryArtifactStore;
let telemetry: MemoryTelemetry;
let ports: RolloutPorts;
let requests = 0;
beforeEach(() => {
  artifacts = new MemoryArtifactStore();
  telemetry = new MemoryTelemetry(clock);
  const rollouts = new MemoryRolloutStore(clock, telemetry);
  const ids = { requestId: () => `req_${(requests += 1)}` };
  ports = { rollouts, telemetry, artifacts, ids, trustedKeys: TRUSTED_KEYS };
});

async function ask(subject: Subject, body: object, to: RolloutPorts = ports): Promise<JsonValue> {
  const answer = await rolloutRequests(to)[REGISTRY_SUBJECTS[subject]]?.({ ...REUSE, ...body });
  if (answer === undefined) throw new Error('nobody answers');
  return answer;
}
async function put(content: JsonValue, type: ArtifactType = 'promotion.evidence'): Promise<string> {
  const [artifactId = ''] = await artifacts.put(KEY.tenantId, 'run-1', [{ type, content }]);
  return artifactId;
}
async function toShadow(): Promise<void> {
  await ask('changeStage', LEAVING);
  await ask('select', SELECTION);
  await ask('changeStage', { stage: 'shadow' });
  await ask('select', SELECTION);
}
const report = async (body: object = {}) => rolloutReportSchema.parse(await ask('rolloutReport', body));

describe('rollouts over the bus', () => {
  it('answer what their schemas say', async () => {
    rolloutViewSchema.parse(await ask('changeStage', LEAVING));
    const selection = selectionSchema.parse(await ask('select', SELECTION));
    expect(selection.eventId).toMatch(/^selection:req_\d+$/);
    await ask('changeStage', { stage: 'shadow', expectedVersion: 1 });
    await ask('select', SELECTION);
    const evidenceArtifactId = await put(freshEvidence());
    const promotion = promotionSchema.parse(await ask('promote', { evidenceArtifactId, expectedVersion: 2 }));
    expect(promotion).toMatchObject({ promoted: true, to: { stage: 'canary', canaryPercent: 10 } });
    const { family: _, ...query } = REUSE;
    const handlers = rolloutRequests(ports);
    const rollouts = rolloutsSchema.parse(await handlers[REGISTRY_SUBJECTS.readRollouts]?.(query));
    expect(rollouts).toMatchObject({
      environment: 'staging',
      families: [{ family: 'reuse', version: 3, stage: 'canary', canaryPercent: 10, active: false }],
    });
    expect(Object.keys(handlers)).toHaveLength(5);
  });

  it.each<[Subject, object]>([
    ['changeStage', { stage: 'observed' }],
    ['changeStage', { ...LEAVING, candidate: { ...CANDIDATE, runtimeDigest: 'sha256:7' } }],
    ['changeStage', { stage: 'canary', canaryPercent: 12.5 }],
    ['select', { actualMode: 'elsewhere' }],
    ['select', { actualMode: 'local', stage: 'on' }],
    ['promote', { evidenceArtifactId: 'x' }],
    ['promote', { evidenceArtifactId: EVIDENCE_ID, trustedKeys: TRUSTED_KEYS }],
    ['readRollouts', {}],
    ['rolloutReport', { environment: 'a/b' }],
  ])('refuse what does not fit: %s %j', async (subject, body) =>
    expect(await codeOr(ask(subject, body))).toBe('validation_error'),
  );

  it.each<[Subject, object]>([
    ['changeStage', { ...LEAVING, family: 'ghp_A1A1A1A1A1A1' }],
    ['changeStage', { ...LEAVING, candidate: { ...CANDIDATE, candidateVersion: 'AKIAABCDEFGHIJKLMNOP' } }],
    ['select', { actualMode: 'local', environment: 'ghp_A1A1A1A1A1A1' }],
    ['promote', { evidenceArtifactId: EVIDENCE_ID, family: 'ghp_A1A1A1A1A1A1' }],
  ])('keep nothing private: %s', async (subject, body) =>
    expect(await codeOr(ask(subject, body))).toBe('private_content'),
  );

  it("say the contract's code", async () => {
    await toShadow();
    await expect(ask('select', { ...SELECTION, reasonCodes: ['x'] })).rejects.toMatchObject({
      code: 'context_refused',
      details: { contractCode: 'EFFICIENCY_EVENT_INVALID' },
    });
    const evidenceArtifactId = await put({ pairs: [] });
    await expect(ask('promote', { evidenceArtifactId })).rejects.toMatchObject({
      code: 'context_refused',
      details: { contractCode: 'INVALID_REQUEST' },
    });
  });
});

describe('evidence', () => {
  it('is there, not erased, and of its type', async () => {
    await toShadow();
    expect(await codeOr(ask('promote', { evidenceArtifactId: EVIDENCE_ID }))).toBe('not_found');
    const message = await put(freshEvidence(), 'message');
    expect(await codeOr(ask('promote', { evidenceArtifactId: message }))).toBe('not_found');
    const erased = await put(freshEvidence());
    await artifacts.erase(KEY.tenantId, erased);
    expect(await codeOr(ask('promote', { evidenceArtifactId: erased }))).toBe('artifact_erased');
    const [others = ''] = await artifacts.put('other', 'run-1', [
      { type: 'promotion.evidence', content: freshEvidence() },
    ]);
    expect(await codeOr(ask('promote', { evidenceArtifactId: others }))).toBe('not_found');
    expect((await report()).promotion).toBeNull();
  });

  it('is asked for once by a command: its answer stands when the evidence is gone', async () => {
    await toShadow();
    const evidenceArtifactId = await put(freshEvidence());
    const answer = await ask('promote', { evidenceArtifactId, commandId: 'p-1' });
    await artifacts.erase(KEY.tenantId, evidenceArtifactId);
    expect(await ask('promote', { evidenceArtifactId, commandId: 'p-1' })).toEqual(answer);
  });

  it('is trusted by the keys of the configuration alone', async () => {
    await toShadow();
    const keys = { trustedKeys: TRUSTED_KEYS, options: { trustedKeys: TRUSTED_KEYS } };
    const evidenceArtifactId = await put({ ...(freshEvidence() as JsonObject), ...keys });
    const untrusted = await ask('promote', { evidenceArtifactId }, { ...ports, trustedKeys: undefined });
    expect(untrusted).toMatchObject({ promoted: false });
    expect(await ask('promote', { evidenceArtifactId })).toMatchObject({ promoted: true });
  });
});

describe('a report', () => {
  it('of a family that nobody knows is of one that never left off', async () =>
    expect(await report()).toEqual({
      rollout: {
        family: 'reuse',
        version: 0,
        stage: 'off',
        canaryPercent: null,
        candidate: null,
        since: null,
        active: false,
      },
      environment: 'staging',
      promotion: null,
      observed: [],
      history: [],
    }));

  it('has the last promotion with every gate, what was observed, and what changed', async () => {
    await toShadow();
    further += 1;
    await ask('promote', { evidenceArtifactId: await put(freshEvidence()) });
    await ask('select', SELECTION);
    const tight = freshEvidence({ thresholds: { minimum_sample_size: 41 } });
    const last = await ask('promote', { evidenceArtifactId: await put(tight) });
    const { promotion, observed, history, rollout } = await report();
    expect(promotion).toEqual(last);
    expect(promotion?.promoted).toBe(false);
    expect(promotion?.gates).toHaveLength(11);
    expect(promotion?.gates.filter(({ passed }) => !passed)).toEqual([
      { gate: 'sample_size', figure: 40, threshold: 41, passed: false },
    ]);
    expect(rollout).toMatchObject({ stage: 'canary', canaryPercent: 10, active: true });
    expect(observed.map(({ mode, events, billed }) => [mode, events, billed.meanAmount])).toEqual([
      ['local', 1, null],
    ]);
    expect(
      history.map(({ sequence, stage, canaryPercent, by }) => [sequence, stage, canaryPercent, by]),
    ).toEqual([
      [0, 'observe', null, 'operator'],
      [1, 'shadow', null, 'operator'],
      [3, 'canary', 10, 'promotion'],
    ]);
  });

  it('shows what work cost and took by how it was done, since the last change', async () => {
    await ask('changeStage', LEAVING);
    const work = (id: string, elapsed_ms: number) => {
      const worked = { event: 'worker_completed', task_corpus_id: SELECTION.taskCorpusId };
      return { id, event: efficiencyEvent({ ...worked, outcome: { elapsed_ms } }) };
    };
    await ask('select', SELECTION);
    await telemetry.record(KEY.tenantId, KEY.environment, [work('before', 9000)]);
    further += 1;
    await ask('changeStage', { stage: 'shadow' });
    await telemetry.record(KEY.tenantId, KEY.environment, [work('after', 250), work('then', 500)]);
    const latencies = async () =>
      (await report()).observed.map(({ mode, events, latency }) => [mode, events, latency.meanElapsedMs]);
    expect(await latencies()).toEqual([['local', 2, 375]]);
    expect((await report({ family: 'capsules' })).observed).toMatchObject([{ mode: 'local', events: 4 }]);
    further += 1;
    await ask('changeStage', { stage: 'off' });
    expect(await latencies()).toEqual([]);
  });

  it('has the newest 50 changes, the newest last', async () => {
    for (let version = 0; version < 52; version += 1)
      await ask('changeStage', version % 2 === 0 ? LEAVING : { stage: 'off' });
    const { history } = await report();
    expect(history).toHaveLength(50);
    expect([history.at(0)?.sequence, history.at(-1)?.sequence]).toEqual([2, 51]);
  });
});
