import type { JsonObject, NewRunEvent, NodeState, WorkflowNode } from '@palimpsest/contracts';
import type { Moment } from '../engine/moment.js';
import { completedNode, failedNode } from '../engine/node-end.js';
import { recordable } from '../engine/node-outcome.js';
import { workOf } from '../engine/node-work.js';
import { expressionError, runError } from '../engine/run-errors.js';
import type { Effect } from '../loop/effects.js';
import type { NodeOutcome } from '../node-types/node-type.js';
import { isShallow } from '../values/json-depth.js';
import { questionProblem } from './model-node-config.js';

type Running = Extract<NodeState, { status: 'running' }>;
type Place = Pick<Moment, 'plan' | 'edges' | 'state'>;

/** The next event of a node that a model answers; undefined while it does. */
export function nextOfModelNode(node: WorkflowNode, state: Running, moment: Moment): NewRunEvent | undefined {
  const outcome = outcomeNow(node, state, moment);
  switch (outcome?.kind) {
    case undefined:
      return undefined;
    case 'complete':
      return completedNode(node, outcome.outputs);
    case 'fail':
      return failedNode(moment.plan, node, state, outcome.error);
    default:
      return outcome satisfies never;
  }
}

/** What a model is asked for such a node; undefined where it cannot be asked. */
export function questionOf(
  node: WorkflowNode,
  { attempt }: Running,
  place: Place,
): Extract<Effect, { kind: 'ask-model' }> | undefined {
  const work = workOf(node, place);
  if ('input' in work) return undefined;
  const { id: nodeId, typeId, config } = node;
  return { kind: 'ask-model', nodeId, typeId, attempt, config, inputs: work.inputs };
}

type End = Extract<NodeOutcome, { kind: 'complete' | 'fail' }>;

function outcomeNow(node: WorkflowNode, { attempt }: Running, moment: Moment): End | undefined {
  const work = workOf(node, moment);
  if ('input' in work) return { kind: 'fail', error: expressionError({ input: work.input }) };
  const problem = questionProblem(node, work.inputs);
  if (problem) return { kind: 'fail', error: problem };
  const { outcome, redact } = moment;
  if (outcome?.kind !== 'model-answered' && outcome?.kind !== 'model-failed') return undefined;
  if (outcome.nodeId !== node.id || outcome.attempt !== attempt) return undefined;
  if (outcome.kind === 'model-failed')
    return recordable({ kind: 'fail', error: outcome.error }, redact) as End;
  return answered(outcome.outputs, moment);
}

/** What a model says may be anything: it is looked at before something that follows its nesting does. */
function answered(outputs: JsonObject, { redact }: Moment): End {
  if (isShallow(outputs)) return recordable({ kind: 'complete', outputs }, redact) as End;
  return { kind: 'fail', error: runError('envelope_invalid', "The model's answer is nested too deeply.") };
}
