import type { JsonObject, JsonValue, RunError, SuspendKind, WorkflowNode } from '@palimpsest/contracts';

/** What a node has to work with. */
export type NodeWork = {
  readonly node: WorkflowNode;
  readonly inputs: JsonObject;
  /** False where neither a port nor an edge of the node names an input. */
  readonly hasInputs: boolean;
  readonly variables: JsonObject;
  readonly rootRunId: string;
};

/** What a node asks for: the rest of a SuspendRequest is the engine's. */
export type Suspension = {
  readonly kind: SuspendKind;
  readonly data: JsonObject;
  readonly resumeSchema?: JsonObject;
  readonly timeoutMs?: number;
};

export type Answer = { readonly kind: SuspendKind; readonly value: JsonValue };

export type NodeOutcome =
  | { readonly kind: 'complete'; readonly outputs: JsonObject }
  | { readonly kind: 'fail'; readonly error: RunError }
  | { readonly kind: 'sleep'; readonly delayMs: number }
  | { readonly kind: 'suspend'; readonly request: Suspension };

/** Pure: what a node does is a function of its definition, its inputs and its answer. */
export type NodeType = {
  /** What is wrong with a configuration: `path` within it, empty for the whole. */
  problemsOf(config: JsonObject): readonly ConfigProblem[];
  perform(work: NodeWork): NodeOutcome;
  /** After its interrupt was answered. */
  resume?(answer: Answer, work: NodeWork): NodeOutcome;
};

export type ConfigProblem = { readonly path: string; readonly problem: string };
export const NO_PROBLEMS: readonly ConfigProblem[] = [];
