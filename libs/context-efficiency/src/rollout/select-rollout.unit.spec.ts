import { judged } from '../testing/judged.js';
import { canaryBucket } from './canary-bucket.js';

const rollout = (input: unknown): unknown => judged('rollout', { input });
const ID = 'backend-refactor-12';
const BUCKET = 89.92908699437976;
const modes = { actual_mode: 'local', recommended_mode: 'resume' };
const canary = { ...modes, rollout: 'canary', task_corpus_id: ID };

describe('stages (§8)', () => {
  it.each([
    ['off', [false, false, false], 'local'],
    ['observe', [true, false, false], 'local'],
    ['shadow', [true, true, false], 'local'],
    ['on', [true, true, true], 'resume'],
  ])('%s', (stage, [actual, recommendation, execute], selected) =>
    expect(rollout({ ...modes, rollout: stage })).toEqual({
      rollout: stage,
      execute_recommendation: execute,
      record_actual: actual,
      record_recommendation: recommendation,
      selected_mode: selected,
      canary_bucket: null,
    }),
  );

  it('are off where nothing is said', () => {
    expect(rollout({})).toMatchObject({ rollout: 'off', selected_mode: null });
    expect(rollout({ rollout: null, ...modes })).toMatchObject({ rollout: 'off', selected_mode: 'local' });
  });

  it.each([
    ['an unknown stage', { rollout: 'Canary' }, 'INVALID_REQUEST'],
    ['an empty stage', { rollout: '' }, 'INVALID_REQUEST'],
    ['10%', { rollout: '10%' }, 'INVALID_REQUEST'],
    ['an unknown mode, although off', { actual_mode: 'resume ' }, 'INVALID_REQUEST'],
    ['an empty mode', { actual_mode: '' }, 'INVALID_REQUEST'],
    ['an unknown recommendation, although off', { recommended_mode: 0 }, 'INVALID_REQUEST'],
    ['one that is unknown in its object', { recommendation: { mode: 'x' } }, 'INVALID_REQUEST'],
    [
      'canary without a recommendation',
      { rollout: 'canary', canary_percent: 'x' },
      'ROLLOUT_RECOMMENDATION_REQUIRED',
    ],
    [
      'on without a recommendation',
      { rollout: 'on', recommendation: 'resume' },
      'ROLLOUT_RECOMMENDATION_REQUIRED',
    ],
    ['a bad mode before a missing one', { rollout: 'on', actual_mode: 'x' }, 'INVALID_REQUEST'],
    ['no object', [], 'INVALID_REQUEST'],
  ])('refuses %s', (_, input, code) => expect(rollout(input)).toBe(code));

  it('takes a recommendation from its object where none stands beside it', () => {
    const recommendation = { mode: 'inherit-full' };
    expect(rollout({ rollout: 'on', recommendation })).toMatchObject({ selected_mode: 'inherit-full' });
    expect(rollout({ rollout: 'on', ...modes, recommendation })).toMatchObject({ selected_mode: 'resume' });
    expect(rollout({ rollout: 'on', recommended_mode: null, recommendation })).toMatchObject({
      selected_mode: 'inherit-full',
    });
  });
});

describe('canary (§8)', () => {
  it.each([
    [undefined, false],
    [null, false],
    [0, false],
    [BUCKET - 1e-12, false],
    [BUCKET, false],
    [BUCKET + 1e-12, true],
    [100, true],
  ])('at %p percent', (percent, executes) =>
    expect(rollout({ ...canary, canary_percent: percent })).toEqual({
      rollout: 'canary',
      execute_recommendation: executes,
      record_actual: true,
      record_recommendation: true,
      selected_mode: executes ? 'resume' : 'local',
      canary_bucket: BUCKET,
    }),
  );

  it.each([-0.001, 100.001, '10', true, [10]])('has no %p percent', (percent) =>
    expect(rollout({ ...canary, canary_percent: percent })).toBe('INVALID_REQUEST'),
  );
  it.each([null, undefined, '', 'frontend-12', 12])('has no corpus id %p', (id) =>
    expect(rollout({ ...canary, task_corpus_id: id })).toBe('INVALID_REQUEST'),
  );
  it('looks at neither in another stage', () => {
    const noise = { canary_percent: 'x', task_corpus_id: 5 };
    expect(rollout({ ...modes, ...noise, rollout: 'on' })).toMatchObject({ canary_bucket: null });
  });

  it('adds ids as the percentage rises, and spreads them', () => {
    const ids = Array.from({ length: 2000 }, (_, n) => `anon-${n.toString(16).padStart(16, '0')}`);
    const inside = (percent: number): number =>
      ids.filter((id) => canaryBucket(id) < percent).length / ids.length;
    expect(inside(0)).toBe(0);
    expect(inside(100)).toBe(1);
    for (const percent of [10, 25, 50]) expect(Math.abs(inside(percent) - percent / 100)).toBeLessThan(0.04);
  });
});
