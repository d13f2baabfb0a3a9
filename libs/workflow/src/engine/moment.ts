import type { EffectOutcome } from '../loop/effects.js';
import type { RunParts } from './node-work.js';

/** What does not change while a run advances. */
export type RunContext = {
  readonly runId: string;
  /** The run's name in payloads: of a replay that of its source, as in all that it repeats (host specification §6.6). */
  readonly recordedAs: string;
  /** Milliseconds of the epoch. */
  readonly now: number;
  /** What came of what the run waited for. */
  readonly outcome?: EffectOutcome | undefined;
  /** Id of the child that a `dispatch.began` at this sequence leads to: the same whenever it is asked for. */
  readonly childRunIdOf: (began: number) => string;
};

/** A run at a place of its log. */
export type Moment = RunParts & RunContext & { readonly head: number };
