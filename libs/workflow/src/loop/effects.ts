import type { AgentRef, JsonObject, JsonValue, RunError, TokenCounts } from '@palimpsest/contracts';

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
      /** Of the supervisor's node: `prompt`, `workers` and what else the planner knows. */
      readonly config: JsonObject;
      readonly inputs: JsonObject;
    }
  /** A model's answer for a node of the type `core.ai.*`. */
  | {
      readonly kind: 'ask-model';
      readonly nodeId: string;
      readonly typeId: string;
      /** Of the node's execution: a retry is another. */
      readonly attempt: number;
      readonly config: JsonObject;
      readonly inputs: JsonObject;
    }
  /** An effect outside, once for this attempt of the node. */
  | {
      readonly kind: 'perform';
      readonly nodeId: string;
      readonly typeId: string;
      readonly attempt: number;
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

/** A child's outputs as a message in the artifact store, and what that counts. The same each time it is asked for. */
export type ReturnedContent = { readonly artifactId: string; readonly counts: TokenCounts };

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
  | {
      readonly kind: 'model-answered';
      readonly nodeId: string;
      readonly attempt: number;
      readonly outputs: JsonObject;
    }
  | {
      readonly kind: 'model-failed';
      readonly nodeId: string;
      readonly attempt: number;
      readonly error: RunError;
    }
  | {
      readonly kind: 'performed';
      readonly nodeId: string;
      readonly attempt: number;
      readonly outputs: JsonObject;
    }
  | {
      readonly kind: 'not-performed';
      readonly nodeId: string;
      readonly attempt: number;
      readonly error: RunError;
    }
  | { readonly kind: 'child-started'; readonly childRunId: string }
  | { readonly kind: 'child-refused'; readonly childRunId: string; readonly error: RunError }
  | {
      readonly kind: 'child-ended';
      readonly childRunId: string;
      readonly status: 'completed' | 'failed' | 'cancelled';
      /** Of one that failed. */
      readonly error?: RunError;
      /** As of its end; of one that completed its outputs, too, under names that no variable of it has. */
      readonly variables: JsonObject;
      /** Of a run that completed with outputs, where a model is to read them. */
      readonly returned?: ReturnedContent;
    }
  | { readonly kind: 'children-ended' };
