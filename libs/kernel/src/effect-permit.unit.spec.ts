import {
  type EffectPermit,
  permitEffects,
  requirePermit,
  ReplayEffectDeniedError,
  type PermittedRun,
} from './effect-permit.js';

const live: PermittedRun = { tenantId: 'acme', runId: 'run-1', origin: undefined };
const fork = (mode: 'replay' | 'branch'): PermittedRun => ({
  ...live,
  origin: { runId: 'source', fromSequence: 0, mode },
});

describe('a permit of effects', () => {
  it.each([
    ['a run', live],
    ['a branch', fork('branch')],
  ])('is given to %s, for itself', (_which, run) => {
    expect(() => requirePermit(permitEffects(run), run, 'model')).not.toThrow();
  });

  it('is not given to a replay', () => {
    expect(() => permitEffects(fork('replay'))).toThrow(ReplayEffectDeniedError);
  });

  it.each([
    ['none', undefined],
    ['that of another run', permitEffects({ ...live, runId: 'run-2' })],
    ['that of a run of the same name of another tenant', permitEffects({ ...live, tenantId: 'rival' })],
    ['what looks like one', { tenantId: 'acme', runId: 'run-1' } as unknown as EffectPermit],
    ['a copy of one', { ...permitEffects(live) } as unknown as EffectPermit],
    ['what inherits from one', Object.create(permitEffects(live)) as EffectPermit],
  ])('is missing where there is %s', (_what, permit) => {
    expect(() => requirePermit(permit, live, 'children')).toThrow(
      expect.objectContaining({
        code: 'replay_effect_denied',
        retryable: false,
        details: { runId: 'run-1', seam: 'children' },
      }),
    );
  });
});
