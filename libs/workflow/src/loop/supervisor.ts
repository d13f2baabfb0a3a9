import {
  ORCHESTRATOR_DECIDED,
  orchestratorDecisionSchema,
  type JsonObject,
  type LoopState,
  type NewRunEvent,
  type NodeState,
  type OrchestratorDecision,
  type WorkflowNode,
} from '@palimpsest/contracts';
import type { Moment } from '../engine/moment.js';
import { completedNode, failedNode } from '../engine/node-end.js';
import { workOf } from '../engine/node-work.js';
import { expressionError, runError } from '../engine/run-errors.js';
import { requested } from '../engine/suspend-node.js';
import { checkedDecision } from './checked-decision.js';
import { heldFor, ratificationRequest } from './confidence.js';
import { closedEvent, questionOf } from './loop-node-events.js';
import { scriptedTurn } from './supervisor-config.js';

type Running = Extract<NodeState, { status: 'running' }>;
type Proposal = { readonly agentId: string; readonly decision: unknown; readonly confidence?: number };

/** The next event of a supervisor in its turn (host specification §5.1); undefined while a model decides. */
export function nextOfSupervisor(
  node: WorkflowNode,
  state: Running,
  moment: Moment,
): NewRunEvent | undefined {
  const { loop } = moment.state;
  // Its start would have made the loop: this log was written by another engine.
  if (!loop) return failedNode(moment.plan, node, state, runError('validation_error', 'Nobody decides.'));
  if (loop.current) return afterDecision(node, state, { moment, decision: loop.current.decision });
  if (loop.held && state.resumed) return ratified(node, state, { moment, loop, held: loop.held });
  if (loop.held) {
    const request = ratificationRequest(node, loop, moment.state);
    return requested(node, request, { state, rootRunId: moment.state.rootRunId });
  }
  return decide(node, state, moment);
}

function afterDecision(
  node: WorkflowNode,
  state: Running,
  { moment, decision }: { readonly moment: Moment; readonly decision: OrchestratorDecision },
): NewRunEvent {
  // A dispatch asks for its supervisor; without one, nobody else would.
  const asksItself = decision.kind === 'ask-user' && !moment.plan.loop.isLinked;
  const outputs: JsonObject = { decision: decision as JsonObject };
  if (!asksItself) return completedNode(node, outputs);
  if (state.resumed) return completedNode(node, { ...outputs, answers: state.resumed.value });
  return requested(node, questionOf(decision.prompt), { state, rootRunId: moment.state.rootRunId });
}

function ratified(
  node: WorkflowNode,
  state: Running,
  {
    moment,
    loop,
    held,
  }: { readonly moment: Moment; readonly loop: LoopState; readonly held: OrchestratorDecision },
): NewRunEvent {
  const answer = state.resumed?.value as JsonObject | undefined;
  if (answer?.['action'] === 'accept') return decided(node, loop, held);
  const error = runError('approval_rejected', 'The decision was not ratified.');
  return failedNode(moment.plan, node, state, error);
}

function decide(node: WorkflowNode, state: Running, moment: Moment): NewRunEvent | undefined {
  const { plan, state: run } = moment;
  const { loop } = run;
  if (!loop) return undefined;
  const work = workOf(node, moment);
  if ('input' in work) return failedNode(plan, node, state, expressionError({ input: work.input }));
  const proposal = proposalOf(node, loop, moment);
  if (!proposal || 'error' in proposal) return proposal && failedNode(plan, node, state, proposal.error);
  const checked = checkedDecision(withoutSecrets(proposal, moment), loop.agent.agentId);
  if ('error' in checked) return failedNode(plan, node, state, checked.error);
  const { decision } = checked;
  const held = heldFor(decision, { proposal, recordedAs: moment.recordedAs, state: run, loop });
  if (!held) return decided(node, loop, decision);
  return held.event
    ? closedEvent(held.event.type, node, held.event.payload)
    : requested(node, held.request, { state, rootRunId: run.rootRunId });
}

/** What is no decision may be of any size and depth: it is left to the check that follows. */
function withoutSecrets(proposal: Proposal, { redact }: Moment): Proposal {
  const parsed = orchestratorDecisionSchema.safeParse(proposal.decision);
  return parsed.success ? { ...proposal, decision: redact(parsed.data as JsonObject) } : proposal;
}

function proposalOf(
  { config }: WorkflowNode,
  { agent, iteration }: LoopState,
  { outcome }: Moment,
): Proposal | { readonly error: ReturnType<typeof runError> } | undefined {
  const scripted = scriptedTurn(config, iteration + 1);
  if (scripted) return { agentId: agent.agentId, ...scripted };
  if (outcome?.kind !== 'decided' && outcome?.kind !== 'undecided') return undefined;
  if (outcome.iteration !== iteration + 1) return undefined;
  return outcome.kind === 'decided' ? outcome : { error: outcome.error };
}

/** Recorded before anything is done about it (CO-1). The iteration follows from the log alone. */
function decided(
  node: WorkflowNode,
  { agent, iteration }: LoopState,
  decision: OrchestratorDecision,
): NewRunEvent {
  const payload = { agentId: agent.agentId, decision, iteration: iteration + 1 };
  return closedEvent(ORCHESTRATOR_DECIDED, node, payload);
}
