import type { RunError, WorkflowDefinition } from '@palimpsest/contracts';
import { runError } from '../engine/run-errors.js';
import { planOf } from '../engine/run-plan.js';
import type { Effect, EffectOutcome } from '../loop/effects.js';
import { effectClassOf, type EffectClass } from './effect-class.js';

export type Replayed = {
  readonly definition: WorkflowDefinition;
  readonly sourceRunId: string;
  /** Default: what this engine says of its own types. */
  readonly classOf?: (typeId: string) => EffectClass;
};

/**
 * What comes of an effect that a replay asks for behind its source's record. All that was recorded is on the replay's own
 * log by then, and folded: what is asked for still has no record under (source, node, attempt), so it fails
 * (host specification §6.4). Nothing outside is touched, the children of the source least of all. Undefined of a node
 * whose type is said to have no effects: there is nothing to answer, and it must not ask.
 */
export function recordedOutcome(effect: Effect, replayed: Replayed): EffectOutcome | undefined {
  // Children are the source's. They are not this run's to end, and it does not wait for them.
  if (effect.kind === 'end-children') return { kind: 'children-ended' };
  if (nodeClass(effect.nodeId, replayed) !== 'recorded') return undefined;
  const error = missing(effect, replayed);
  switch (effect.kind) {
    case 'decide':
      return { kind: 'undecided', iteration: effect.iteration, error };
    case 'ask-model':
      return { kind: 'model-failed', nodeId: effect.nodeId, attempt: effect.attempt, error };
    case 'perform':
      return { kind: 'not-performed', nodeId: effect.nodeId, attempt: effect.attempt, error };
    case 'start-child':
      return { kind: 'child-refused', childRunId: effect.childRunId, error };
    case 'await-child':
      return { kind: 'child-ended', childRunId: effect.childRunId, status: 'failed', error, variables: {} };
    default:
      return effect satisfies never;
  }
}

function nodeClass(nodeId: string, { definition, classOf = effectClassOf }: Replayed): EffectClass {
  const plan = planOf(definition);
  const node = plan.nodes[plan.place(nodeId) ?? -1];
  return node ? classOf(node.typeId) : 'recorded';
}

/** Names the record that there is not: equal in every replay of one source. */
function missing(effect: Exclude<Effect, { kind: 'end-children' }>, { sourceRunId }: Replayed): RunError {
  const message = 'The source recorded no outcome that its replay could repeat.';
  return runError('replay_source_missing', message, {
    sourceRunId,
    nodeId: effect.nodeId,
    ...ordinalOf(effect),
  });
}

function ordinalOf(effect: Exclude<Effect, { kind: 'end-children' }>): Readonly<Record<string, number>> {
  if (effect.kind === 'decide') return { iteration: effect.iteration };
  return 'attempt' in effect ? { attempt: effect.attempt } : {};
}
