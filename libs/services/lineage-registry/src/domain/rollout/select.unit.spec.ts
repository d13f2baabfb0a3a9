import { canaryBucket } from '@palimpsest/context-efficiency';
import { CONTEXT_MODES, type Select } from '@palimpsest/contracts/registry';
import { NOW, RUNGS, standing, type RungName } from '../../testing/rollout-cases.js';
import { neverLeftOff } from './rollout.js';
import { select } from './select.js';

const ID = 'backend-refactor-12';
const asked = (change: Partial<Select> = {}): Select => ({
  tenantId: 'acme',
  environment: 'staging',
  family: 'reuse',
  actualMode: 'local',
  ...change,
});
const recommended: Partial<Select> = {
  recommendedMode: 'resume',
  reasonCodes: ['RESUME_COMPATIBLE'],
  taskCorpusId: ID,
};
const at = { now: NOW, eventId: 'selection:req_1' };
const selectIn = (name: RungName, change: Partial<Select> = recommended) =>
  select(standing('reuse', name), asked(change), at);
function refusal(name: RungName, change: Partial<Select>): unknown {
  try {
    return selectIn(name, change);
  } catch (error) {
    const { code, details } = error as { code: string; details?: Record<string, unknown> };
    return details?.['contractCode'] ?? code;
  }
}

it('decides in the recorded stage', () => {
  expect(canaryBucket(ID)).toBe(89.92908699437976);
  const executed = RUNGS.map((name) => selectIn(name).answer.executeRecommendation);
  expect(executed).toEqual([false, false, false, false, false, false, true]);
  const inside = { ...recommended, taskCorpusId: 'anon-0000000000000000' };
  const bucket = canaryBucket(inside.taskCorpusId);
  const expected = RUNGS.map((name) => name === 'on' || bucket < Number(name));
  expect(RUNGS.map((name) => selectIn(name, inside).answer.executeRecommendation)).toEqual(expected);
});

it('answers the stage, and the place of the event', () =>
  expect(selectIn('25').answer).toEqual({
    environment: 'staging',
    family: 'reuse',
    stage: 'canary',
    canaryPercent: 25,
    executeRecommendation: false,
    recordActual: true,
    recordRecommendation: true,
    selectedMode: 'local',
    canaryBucket: 89.92908699437976,
    eventId: 'selection:req_1',
  }));

it('records nothing in off, nor where a family never left it', () => {
  for (const rollout of [standing('reuse', 'off'), neverLeftOff('reuse')]) {
    const decision = select(rollout, asked(recommended), at);
    expect(decision.telemetry).toEqual([]);
    expect(decision.answer).toMatchObject({ stage: 'off', selectedMode: 'local', recordActual: false });
    expect(decision.answer).not.toHaveProperty('eventId');
  }
});

it('records redacted events of the version that decided: what is done, and apart from it what is recommended', () => {
  const row = { environment: 'staging', family: 'reuse', rolloutVersion: 3 };
  const event = (mode: string, reason: string): unknown =>
    expect.objectContaining({
      schema: 'knowzcode.efficiency-event/v1',
      event: 'dispatch_decision',
      observed_at: new Date(NOW).toISOString(),
      task_corpus_id: ID,
      provider: 'codex',
      mode,
      reason_codes: [reason],
      billed: expect.objectContaining({ amount: null, accounting_source: 'unknown' }),
    });
  const decision = selectIn('shadow', { ...recommended, actualMode: 'inherit-full', provider: 'codex' });
  expect(decision.answer.eventId).toBe('selection:req_1');
  expect(decision.telemetry).toEqual([
    { ...row, id: 'selection:req_1', event: event('inherit-full', 'HIGH_CONTEXT_AFFINITY') },
    {
      ...row,
      id: 'selection:req_1:recommended',
      isRecommendation: true,
      event: event('resume', 'RESUME_COMPATIBLE'),
    },
  ]);
});

const toldIn = (name: RungName, change?: Partial<Select>) =>
  selectIn(name, change).telemetry.map(({ id, event }) => {
    const { mode, reason_codes: reasons } = event as unknown as { mode: string; reason_codes: string[] };
    return [id.replace('selection:req_1', ''), mode, ...reasons].join(' ');
  });

it.each([
  ['observe', [' local CAPABILITY_FALLBACK']],
  ['shadow', [' local CAPABILITY_FALLBACK', ':recommended resume RESUME_COMPATIBLE']],
  ['10', [' local CAPABILITY_FALLBACK', ':recommended resume RESUME_COMPATIBLE']],
  ['on', [' resume RESUME_COMPATIBLE', ':recommended resume RESUME_COMPATIBLE']],
] as const)('in %s the modes are told that the stage records, with their own reasons', (name, told) =>
  expect(toldIn(name)).toEqual(told),
);

it('in a canary that takes the corpus what is done is the recommendation', () => {
  const taskCorpusId = 'anon-0000000000000001';
  expect(canaryBucket(taskCorpusId)).toBeLessThan(50);
  expect(toldIn('50', { ...recommended, taskCorpusId })[0]).toBe(' resume RESUME_COMPATIBLE');
});

it('where both are the same mode, the reasons of the recommendation are not those of what is done', () => {
  const same: Partial<Select> = { ...recommended, actualMode: 'resume', reasonCodes: ['LOCAL_CHEAPER'] };
  expect(toldIn('observe', same)).toEqual([' resume RESUME_COMPATIBLE']);
  expect(toldIn('shadow', same)).toEqual([' resume RESUME_COMPATIBLE', ':recommended resume LOCAL_CHEAPER']);
});

it.each([
  ['local', 'CAPABILITY_FALLBACK'],
  ['resume', 'RESUME_COMPATIBLE'],
  ['inherit-full', 'HIGH_CONTEXT_AFFINITY'],
  ['inherit-recent', 'BOUNDED_RECENT_CONTEXT'],
  ['fresh-capsule', 'INDEPENDENT_CAPSULE'],
  ['coordinated-team', 'TEAM_COORDINATION_REQUIRED'],
] as const)('without a recommendation and reasons, %s stands with %s', (actualMode, reason) => {
  for (const name of ['observe', 'shadow'] as const)
    expect(toldIn(name, { actualMode })).toEqual([` ${actualMode} ${reason}`]);
  expect(CONTEXT_MODES).toContain(actualMode);
});

it('keeps the reasons that are given for what is done', () => {
  const reasonCodes = ['BLOCKING', 'LOCAL_CHEAPER'];
  expect(toldIn('observe', { reasonCodes })).toEqual([' local LOCAL_CHEAPER BLOCKING']);
});

describe('refuses', () => {
  it('a recommendation without reasons, in every stage', () => {
    for (const name of RUNGS) {
      expect(refusal(name, { recommendedMode: 'resume' })).toBe('validation_error');
      expect(refusal(name, { recommendedMode: 'resume', reasonCodes: [] })).toBe('validation_error');
    }
  });
  it.each([
    ['canary without a recommendation', '10', { taskCorpusId: ID }, 'ROLLOUT_RECOMMENDATION_REQUIRED'],
    ['on without a recommendation', 'on', {}, 'ROLLOUT_RECOMMENDATION_REQUIRED'],
    ['canary without a corpus id', '50', { ...recommended, taskCorpusId: undefined }, 'INVALID_REQUEST'],
    ['canary with another id', '50', { ...recommended, taskCorpusId: 'task-1' }, 'INVALID_REQUEST'],
    ['an unknown reason', 'observe', { reasonCodes: ['CHEAPER'] }, 'EFFICIENCY_EVENT_INVALID'],
    ...(['observe', 'shadow', '10', 'on'] as const).map((name) => [
      'an unknown reason of a recommendation, recorded or not',
      name,
      { ...recommended, reasonCodes: ['CHEAPER'] },
      'EFFICIENCY_EVENT_INVALID',
    ]),
    ['an id that is not anonymous', 'shadow', { taskCorpusId: 'task-1' }, 'EFFICIENCY_EVENT_INVALID'],
    ['a private reason', 'shadow', { reasonCodes: ['someone@example.com'] }, 'PRIVATE_TELEMETRY'],
  ] as [string, RungName, Partial<Select>, string][])('%s', (_, name, change, code) =>
    expect(refusal(name, change)).toBe(code),
  );
});
