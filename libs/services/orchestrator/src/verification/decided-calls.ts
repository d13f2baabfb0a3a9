import {
  NODE_COMPLETED,
  NODE_STARTED,
  ORCHESTRATOR_DECIDED,
  WINDOW_PLANNED,
  type RecordedEvent,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { foldWorkflowRun, modelQuestionOf, nodeStateOf, type ModelQuestion } from '@palimpsest/workflow';

/** A call of a model whose answer the log has. */
export type DecidedCall = {
  readonly nodeId: string;
  /** As in the call's id: the turn of a supervisor, the attempt of another node. */
  readonly ordinal: number;
  /** Of the event that the answer became. */
  readonly sequence: number;
  /** What was asked, by the run's state when it was asked first, and by that just before the answer. */
  readonly asked: readonly AskedThen[];
};

export type AskedThen = { readonly question: ModelQuestion; readonly state: WorkflowRunState };

/** A run's answered calls in log order. Scripts ask nobody. */
export async function* decidedCalls(
  definition: WorkflowDefinition,
  events: AsyncIterable<RecordedEvent>,
): AsyncGenerator<DecidedCall, void> {
  const begun = new Map<string, WorkflowRunState>();
  let state: WorkflowRunState | undefined;
  for await (const event of events) {
    const before = state;
    state = foldWorkflowRun(before, event);
    const { nodeId, type } = event;
    if (!before || nodeId === undefined) continue;
    if (type === NODE_STARTED) begun.set(nodeId, state);
    // What a turn's window was planned on is what its request is made from.
    if (type === WINDOW_PLANNED) begun.set(nodeId, before);
    if (type !== ORCHESTRATOR_DECIDED && type !== NODE_COMPLETED) continue;
    const call = callOf(definition, { event, nodeId, states: [begun.get(nodeId) ?? before, before] });
    if (call) yield call;
  }
}

type Answered = {
  readonly event: RecordedEvent;
  readonly nodeId: string;
  readonly states: readonly WorkflowRunState[];
};

function callOf(
  definition: WorkflowDefinition,
  { event, nodeId, states }: Answered,
): DecidedCall | undefined {
  const { type, payload, sequence } = event;
  const isTurn = type === ORCHESTRATOR_DECIDED;
  const last = states.at(-1);
  const ordinal = isTurn ? Number(payload['iteration']) : last && nodeStateOf(last, nodeId)?.attempt;
  if (ordinal === undefined) return undefined;
  const asked = states.flatMap((state): readonly AskedThen[] => {
    const question = modelQuestionOf(definition, state, nodeId);
    if (!question || (question.kind === 'decide') !== isTurn) return [];
    const place = question.kind === 'decide' ? question.iteration : question.attempt;
    return place === ordinal ? [{ question, state }] : [];
  });
  return asked.length === 0 ? undefined : { nodeId, ordinal, sequence, asked };
}
