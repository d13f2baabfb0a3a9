import type { EfficiencyEvent } from '@palimpsest/context-efficiency';
import type { TerminalError } from '@palimpsest/kernel';
import type { WorkgroupEvent } from './workgroup-events.js';

/** An efficiency event that belongs to a decision, and is recorded in its transaction. */
export type DecidedTelemetry = {
  readonly environment: string;
  readonly family: string;
  /** Of the rollout's state that decided. */
  readonly rolloutVersion: number;
  readonly id: string;
  readonly event: EfficiencyEvent;
  /** It says what would have been done: it counts nowhere as what was. Default false. */
  readonly isRecommendation?: boolean;
};

/** What a command comes to: its events are recorded, a refusal's as well, before the caller hears of it. */
export type Decision<Answer> = {
  readonly events: readonly WorkgroupEvent[];
  readonly telemetry?: readonly DecidedTelemetry[];
} & ({ readonly answer: Answer } | { readonly refusal: TerminalError });
