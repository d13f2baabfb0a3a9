import type { JsonObject, JsonValue, RunError, WorkflowDefinition } from '@palimpsest/contracts';
import type { Advanced } from '../engine/advance.js';
import type { Effect, EffectOutcome } from '../loop/effects.js';
import { edge, node, workflow } from './definitions.js';
import { TestRun, type TestRunOptions } from './test-run.js';

/** How a worker fares, by its id; one that is not named completes at once without variables. */
export type Fate = {
  readonly status?: 'completed' | 'failed' | 'cancelled';
  readonly variables?: JsonObject;
  /** The artifact that holds its outputs. */
  readonly returned?: string;
  readonly error?: RunError;
  /** Looks at it before it has ended. */
  readonly looks?: number;
  readonly refused?: RunError;
};

export type ModelAnswer = { readonly outputs: JsonObject } | { readonly error: RunError };
/** What every message of a worker counts here. */
export const RETURNED_COUNTS = { o200k_base: 1, cl100k_base: 2, chars: 3 };
const ASKS_MODELS: readonly Effect['kind'][] = ['decide', 'ask-model'];

export type ChildRun = {
  readonly childRunId: string;
  readonly workerId: string;
  readonly inputs: JsonObject;
  readonly fate: Fate;
  looks: number;
  asked: number;
};

/** A supervisor and its dispatch, which follow each other in turns. */
export function loop(
  supervisor: object,
  dispatch: object = {},
  more: Partial<WorkflowDefinition> = {},
): WorkflowDefinition {
  const nodes = [
    node('supervisor', 'orchestrator.supervisor', { config: supervisor }),
    node('dispatch', 'dispatch', { config: dispatch }),
  ];
  const edges = [edge('supervisor', 'dispatch'), edge('dispatch', 'supervisor')];
  return workflow(nodes, edges, more);
}

export const toWorkers = (...nextWorkerIds: readonly string[]) => ({ kind: 'next-worker', nextWorkerIds });
export const done = { kind: 'terminate', reason: 'goal-reached' };

/** A loop whose turns a model decides. */
export const modelLoop = (
  dispatch: object = {},
  more: Partial<WorkflowDefinition> = {},
): WorkflowDefinition => loop({ prompt: 'Plan.' }, dispatch, more);

/** What the planner of such a loop decides, turn after turn. */
export function decides(run: LoopRun, ...decisions: readonly JsonValue[]): LoopRun {
  for (const [place, decision] of decisions.entries()) {
    const iteration = place + 1;
    run.planned.set(iteration, { kind: 'decided', iteration, agentId: 'palimpsest.supervisor', decision });
  }
  return run;
}

/** A run and its outside: children are started and looked at as the run asks for it. */
export class LoopRun extends TestRun {
  readonly children = new Map<string, ChildRun>();
  /** Model decisions of turns. */
  readonly planned = new Map<number, EffectOutcome>();
  /** What models answer to a node, attempt after attempt. */
  readonly answers = new Map<string, readonly ModelAnswer[]>();
  /** Side effects that were asked for, as `node attempt`. */
  readonly performed: string[] = [];
  ended: readonly string[] = [];

  constructor(
    definition: WorkflowDefinition,
    readonly fates: Readonly<Record<string, Fate>> = {},
    options: TestRunOptions = {},
  ) {
    super(definition, options);
  }

  /** What comes of an effect; undefined while there is nothing to tell. */
  perform(effect: Effect): EffectOutcome | undefined {
    switch (effect.kind) {
      case 'decide':
        return this.planned.get(effect.iteration);
      case 'ask-model':
        return this.#ask(effect);
      case 'perform':
        return this.#performed(effect);
      case 'start-child':
        return this.#start(effect);
      case 'await-child':
        return this.#look(effect.childRunId);
      case 'end-children':
        this.ended = effect.childRunIds;
        return { kind: 'children-ended' };
      default:
        return effect satisfies never;
    }
  }

  /** Goes on until only time or an answer moves it. */
  settle(): Advanced {
    let advanced = this.advance();
    for (let round = 0; round < 10_000 && advanced.effect; round += 1) {
      const outcome = this.perform(advanced.effect);
      if (!outcome && ASKS_MODELS.includes(advanced.effect.kind)) return advanced;
      advanced = this.advanceWith(outcome);
    }
    return advanced;
  }

  advanceWith(outcome?: EffectOutcome): Advanced {
    let advanced = this.advanceOnce(this.now, outcome);
    while (advanced.more) advanced = this.advanceOnce(this.now, outcome);
    return advanced;
  }

  /** Phases of handoffs in the order of the log, as `phase worker`. */
  get phases(): readonly string[] {
    return this.payloads('core.workflowChain.event').map(
      ({ phase, workerId }) => `${phase as string} ${workerId as string}`,
    );
  }

  #ask({ nodeId, attempt }: Extract<Effect, { kind: 'ask-model' }>): EffectOutcome | undefined {
    const answer = this.answers.get(nodeId)?.[attempt];
    if (!answer) return undefined;
    return 'error' in answer
      ? { kind: 'model-failed', nodeId, attempt, error: answer.error }
      : { kind: 'model-answered', nodeId, attempt, outputs: answer.outputs };
  }

  #performed({ nodeId, attempt }: Extract<Effect, { kind: 'perform' }>): EffectOutcome {
    this.performed.push(`${nodeId} ${attempt}`);
    return { kind: 'performed', nodeId, attempt, outputs: { performed: true } };
  }

  #start(effect: Extract<Effect, { kind: 'start-child' }>): EffectOutcome {
    const { childRunId, workerId, inputs } = effect;
    const fate = this.fates[workerId] ?? {};
    if (fate.refused) return { kind: 'child-refused', childRunId, error: fate.refused };
    const known = this.children.get(childRunId);
    if (known) expect({ workerId, inputs }).toEqual({ workerId: known.workerId, inputs: known.inputs });
    const child = known ?? { childRunId, workerId, inputs, fate, looks: 0, asked: 0 };
    child.asked += 1;
    this.children.set(childRunId, child);
    return { kind: 'child-started', childRunId };
  }

  #look(childRunId: string): EffectOutcome | undefined {
    const child = this.children.get(childRunId);
    if (!child) throw new TypeError(`Nobody started ${childRunId}.`);
    child.looks += 1;
    const { status = 'completed', variables = {}, returned, error, looks = 0 } = child.fate;
    if (child.looks <= looks) return undefined;
    const left = {
      ...(returned !== undefined && { returned: { artifactId: returned, counts: RETURNED_COUNTS } }),
      ...(error && { error }),
    };
    return { kind: 'child-ended', childRunId, status, variables, ...left };
  }
}
