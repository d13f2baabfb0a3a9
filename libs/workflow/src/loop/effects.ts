import type { AgentRef, JsonObject, JsonValue, RunError } from '@palimpsest/contracts';

/**
 * What a run needs from outside before it can go on. It may be asked for again, after a crash: the same place of the log
 * asks for the same.
 */
export type Effect =
  /** A model's decision for a turn; scripts decide by themselves. */
  | {
      readonly kind: 'decide';
      readonly nodeId: string;
      readonly iteration: number;
      readonly agent: AgentRef;
      readonly inputs: JsonObject;
    }
  | {
      readonly kind: 'start-child';
      readonly nodeId: string;
      readonly workerId: string;
      readonly childRunId: string;
      readonly inputs: JsonObject;
    }
  | { readonly kind: 'await-child'; readonly nodeId: string; readonly childRunId: string }
  /** The run ends: its children have to end before it. */
  | { readonly kind: 'end-children'; readonly childRunIds: readonly string[] };

/** What came of an effect. One that the run does not wait for any more changes nothing. */
export type EffectOutcome =
  /** `decision` as the planner gave it, not checked yet. */
  | {
      readonly kind: 'decided';
      readonly iteration: number;
      readonly agentId: string;
      readonly decision: JsonValue;
    }
  | { readonly kind: 'undecided'; readonly iteration: number; readonly error: RunError }
  | { readonly kind: 'child-started'; readonly childRunId: string }
  | { readonly kind: 'child-refused'; readonly childRunId: string; readonly error: RunError }
  | {
      readonly kind: 'child-ended';
      readonly childRunId: string;
      readonly status: 'completed' | 'failed' | 'cancelled';
      /** Of one that failed. */
      readonly error?: RunError;
      /** As of its end. */
      readonly variables: JsonObject;
    }
  | { readonly kind: 'children-ended' };
