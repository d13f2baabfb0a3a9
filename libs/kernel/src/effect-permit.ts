import type { RunHeader } from '@palimpsest/contracts';
import { TerminalError } from './errors/palimpsest-error.js';

type RunKey = Pick<RunHeader, 'tenantId' | 'runId'>;

/** A run as its header has it: where it comes from has to be said, also where it comes from nowhere. */
export type PermittedRun = RunKey & { readonly origin: RunHeader['origin'] };

/**
 * A replay was about to reach out of this host (host specification §6.4). Whoever decides what a replay does has a defect:
 * nothing has happened outside, and trying again changes nothing.
 */
export class ReplayEffectDeniedError extends TerminalError {
  /** `seam` names the place that was reached, never what was to leave there. */
  constructor(runId: string, seam: string) {
    super('replay_effect_denied', 'A replay has no effects: it repeats what its source recorded.', {
      details: { runId, seam },
    });
  }
}

/**
 * Leave of one run to have effects outside: models, children, jobs, side effects. Every seam through which an effect can
 * leave demands one, so that what nobody thought of is denied. `permitEffects` alone makes them.
 */
export class EffectPermit {
  readonly #tenantId: string;
  readonly #runId: string;

  private constructor({ tenantId, runId }: RunKey) {
    this.#tenantId = tenantId;
    this.#runId = runId;
  }

  /** @throws ReplayEffectDeniedError for a replay, however it got so far */
  static of(run: PermittedRun): EffectPermit {
    if (run.origin?.mode === 'replay') throw new ReplayEffectDeniedError(run.runId, 'permit');
    return new EffectPermit(run);
  }

  /** Also false of what only looks like a permit. */
  static covers(permit: unknown, { tenantId, runId }: RunKey): boolean {
    if (typeof permit !== 'object' || permit === null || !(#runId in permit)) return false;
    return permit.#tenantId === tenantId && permit.#runId === runId;
  }
}

export function permitEffects(run: PermittedRun): EffectPermit {
  return EffectPermit.of(run);
}

/** What a seam asks before anything leaves. @throws ReplayEffectDeniedError without a permit of this very run */
export function requirePermit(permit: EffectPermit | undefined, run: RunKey, seam: string): void {
  if (!EffectPermit.covers(permit, run)) throw new ReplayEffectDeniedError(run.runId, seam);
}
