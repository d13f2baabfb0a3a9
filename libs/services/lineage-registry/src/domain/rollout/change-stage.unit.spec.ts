import { hasCode } from '@palimpsest/kernel';
import {
  CANDIDATE,
  environmentOf,
  moment,
  nameOf,
  NOW,
  RUNGS,
  rung,
  standing,
  type RungName,
} from '../../testing/rollout-cases.js';
import { changeStage, type StageChange } from './change-stage.js';
import { evolveRollouts } from './evolve-rollouts.js';
import { familyOf, MOST_FAMILIES, type EnvironmentRollouts } from './rollout.js';
import type { RolloutMoment } from './rollout-events.js';

const OTHER = { ...CANDIDATE, candidateVersion: '1.4.1' };
const AT = new Date(NOW).toISOString();

/** The change that is wanted, with a candidate where it leaves `off`. */
const wanted = (to: RungName, change: Partial<StageChange> = {}): StageChange => ({
  family: 'reuse',
  ...rung(to),
  ...change,
});
const leaving = (to: RungName): StageChange => wanted(to, { candidate: CANDIDATE });

/** The rung that the family is on then, or the code of the refusal. */
function outcome(rollouts: EnvironmentRollouts, change: StageChange, at: RolloutMoment = moment()): unknown {
  try {
    const { answer } = changeStage(rollouts, change, at);
    return nameOf(answer);
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
}
function refusalOf(rollouts: EnvironmentRollouts, change: StageChange, at = moment()): unknown {
  try {
    return changeStage(rollouts, change, at);
  } catch (error) {
    return error;
  }
}

describe('steps on the ladder', () => {
  const BAD = 'validation_error';
  const NEXT = 'stage_not_next';
  const PROMOTION = 'promotion_required';
  const above = [PROMOTION, PROMOTION, PROMOTION, PROMOTION];

  // from a rung, to each of off, observe, shadow, 10, 25, 50, on
  it.each([
    ['off', [BAD, 'observe', NEXT, ...above]],
    ['observe', ['off', BAD, 'shadow', ...above]],
    ['shadow', ['off', 'observe', BAD, ...above]],
    ['10', ['off', 'observe', 'shadow', BAD, ...above.slice(1)]],
    ['25', ['off', 'observe', 'shadow', '10', BAD, ...above.slice(2)]],
    ['50', ['off', 'observe', 'shadow', '10', '25', BAD, PROMOTION]],
    ['on', ['off', 'observe', 'shadow', '10', '25', '50', BAD]],
  ] as [RungName, string[]][])('from %s', (from, expected) => {
    const rollouts = environmentOf(standing('reuse', from));
    const change = from === 'off' ? leaving : wanted;
    expect(RUNGS.map((to) => outcome(rollouts, change(to)))).toEqual(expected);
  });

  it('are refused with the stage, and the next one', () =>
    expect(refusalOf(environmentOf(standing('reuse', 'off')), leaving('shadow'))).toMatchObject({
      message: 'The rollout is at off: its next stage is observe. Promotion begins at shadow.',
      details: {
        family: 'reuse',
        version: 1,
        stage: 'off',
        canaryPercent: null,
        next: { stage: 'observe', canaryPercent: null },
      },
    }));

  it('of a family that nobody knows begin at off', () => {
    expect(outcome(environmentOf(), leaving('observe'))).toBe('observe');
    expect(outcome(environmentOf(), leaving('shadow'))).toBe(NEXT);
    expect(outcome(environmentOf(), wanted('off'))).toBe(BAD);
  });

  it.each([
    ['canary', undefined],
    ['canary', 9],
    ['canary', 11],
    ['canary', 24],
    ['canary', 26],
    ['canary', 49],
    ['canary', 51],
    ['shadow', 10],
    ['on', 50],
    ['off', 10],
  ] as [StageChange['stage'], number | undefined][])(
    'have no rung %s with %p percent',
    (stage, canaryPercent) =>
      expect(
        refusalOf(environmentOf(standing('reuse', 'on')), { family: 'reuse', stage, canaryPercent }),
      ).toMatchObject({ code: BAD, details: { field: 'canaryPercent' } }),
  );

  it('name where the rollout is when there is no such step', () =>
    expect(refusalOf(environmentOf(standing('reuse', 'observe')), wanted('25'))).toMatchObject({
      code: PROMOTION,
      details: { family: 'reuse', version: 2, stage: 'observe', canaryPercent: null, wanted: 'canary' },
    }));
});

describe('a stage that is not active', () => {
  const idle = moment({ isActive: false });
  it('is not left upwards, except off', () => {
    expect(outcome(environmentOf(standing('reuse', 'off')), leaving('observe'), idle)).toBe('observe');
    expect(outcome(environmentOf(standing('reuse', 'observe')), wanted('shadow'), idle)).toBe(
      'stage_not_active',
    );
  });
  it.each(['observe', 'shadow', '10', '25', '50', 'on'] as const)('is left downwards from %s', (from) =>
    expect(outcome(environmentOf(standing('reuse', from)), wanted('off'), idle)).toBe('off'),
  );
});

describe('the candidate', () => {
  it('is wanted by a family that leaves off, again after it was there', () => {
    expect(refusalOf(environmentOf(), wanted('observe'))).toMatchObject({
      code: 'validation_error',
      message:
        'A rollout that leaves off needs a candidate: candidateVersion, corpusVersion and runtimeDigest.',
      details: { field: 'candidate' },
    });
    expect(outcome(environmentOf(standing('reuse', 'off')), wanted('observe'))).toBe('validation_error');
    expect(outcome(environmentOf(standing('reuse', 'off')), wanted('observe', { candidate: OTHER }))).toBe(
      'observe',
    );
  });
  it.each([
    ['another version', { ...CANDIDATE, candidateVersion: '1.4.0' }],
    ['another corpus', { ...CANDIDATE, corpusVersion: 'corpus-4' }],
    ['another runtime', { ...CANDIDATE, runtimeDigest: `sha256:${'8'.repeat(64)}` }],
  ])('under way is not changed to %s, up or down', (_, candidate) => {
    const rollouts = environmentOf(standing('reuse', 'observe'));
    for (const to of ['shadow', 'off'] as const)
      expect(refusalOf(rollouts, wanted(to, { candidate }))).toMatchObject({
        code: 'validation_error',
        details: { field: 'candidate' },
      });
  });
  it('may be said again', () =>
    expect(outcome(environmentOf(standing('reuse', 'observe')), leaving('shadow'))).toBe('shadow'));
  it('is kept until off', () => {
    const kept = changeStage(environmentOf(standing('reuse', 'on')), wanted('observe'), moment());
    expect(kept.answer.candidate).toEqual(CANDIDATE);
    expect(
      changeStage(environmentOf(standing('reuse', 'on')), wanted('off'), moment()).answer.candidate,
    ).toBeNull();
  });
});

describe('a second family', () => {
  it.each([
    ['observe', true],
    ['shadow', true],
    ['10', true],
    ['25', true],
    ['50', true],
    ['off', false],
    ['on', false],
  ] as const)('beside one at %s waits: %p', (name, waits) => {
    const rollouts = environmentOf(standing('capsules', name), standing('done', 'on'));
    for (const change of [leaving('observe'), { ...wanted('50'), family: 'done' }]) {
      const refusal = refusalOf(rollouts, change);
      expect(hasCode(refusal, 'intervention_in_progress')).toBe(waits);
      if (waits) expect(refusal).toMatchObject({ details: { family: 'capsules' } });
    }
  });
  it('at on may always be stopped', () => {
    const rollouts = environmentOf(standing('capsules', '10'), standing('reuse', 'on'));
    expect(outcome(rollouts, wanted('off'))).toBe('off');
  });
  it('does not hold up the one that is under way', () => {
    const rollouts = environmentOf(standing('capsules', 'on'), standing('reuse', 'observe'));
    expect(outcome(rollouts, wanted('shadow'))).toBe('shadow');
  });
});

describe('the expected version', () => {
  const rollouts = environmentOf(standing('reuse', 'observe'));
  it.each([
    [1, 'version_conflict'],
    [2, 'shadow'],
    [3, 'version_conflict'],
    [undefined, 'shadow'],
  ])('%p of 2', (expectedVersion, expected) =>
    expect(outcome(rollouts, wanted('shadow', { expectedVersion }))).toBe(expected),
  );
  it('of a family that nobody knows is 0', () => {
    expect(outcome(environmentOf(), { ...leaving('observe'), expectedVersion: 0 })).toBe('observe');
    expect(outcome(environmentOf(), { ...leaving('observe'), expectedVersion: 1 })).toBe('version_conflict');
  });
  it('is compared before the step, and the actual one is said', () =>
    expect(refusalOf(rollouts, wanted('observe', { expectedVersion: 1 }))).toMatchObject({
      code: 'version_conflict',
      details: { family: 'reuse', expectedVersion: 1, actualVersion: 2 },
    }));
});

it('a change is one event, and what it makes of the state is what it answers', () => {
  const rollouts = environmentOf(standing('reuse', 'observe'));
  const { events, answer } = changeStage(rollouts, wanted('shadow'), moment());
  expect(events).toEqual([
    {
      type: 'palimpsest.rollout.stage_changed',
      payload: {
        family: 'reuse',
        version: 3,
        from: { stage: 'observe', canaryPercent: null },
        to: { stage: 'shadow', canaryPercent: null },
        by: 'operator',
        candidate: CANDIDATE,
      },
    },
  ]);
  const [event] = events;
  if (!event) throw new Error('no event');
  const after = evolveRollouts(rollouts, { ...event, sequence: 12, recordedAt: AT });
  expect(after.sequence).toBe(12);
  expect({ ...familyOf(after, 'reuse'), active: false }).toEqual(answer);
});

describe('families of an environment that ever left off', () => {
  /** As many, all of them back at `off`. */
  const full = (count: number): EnvironmentRollouts =>
    environmentOf(...Array.from({ length: count }, (_, place) => standing(`family-${place}`, 'off')));
  const FULL = { code: 'environment_full', details: { environment: 'staging', limit: MOST_FAMILIES } };

  it.each([
    [MOST_FAMILIES - 1, 'observe'],
    [MOST_FAMILIES, FULL],
    [MOST_FAMILIES + 1, FULL],
  ])('are bounded: one more beside %d', (count, expected) => {
    if (typeof expected === 'string') expect(outcome(full(count), leaving('observe'))).toBe(expected);
    else expect(refusalOf(full(count), leaving('observe'))).toMatchObject(expected);
  });

  it('move on as they did', () => {
    const known: StageChange = { ...leaving('observe'), family: 'family-7' };
    expect(outcome(full(MOST_FAMILIES), known)).toBe('observe');
    expect(outcome(full(MOST_FAMILIES), { ...known, stage: 'shadow' })).toBe('stage_not_next');
  });
});
