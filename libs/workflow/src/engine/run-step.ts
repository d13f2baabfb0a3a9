import {
  CAP_BREACHED,
  NODE_FAILED,
  NODE_SKIPPED,
  RUN_CANCELLED,
  RUN_COMPLETED,
  RUN_FAILED,
  type NewRunEvent,
  type WorkflowNode,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { activeMsAt } from '../fold/active-time.js';
import { nodeStateOf } from '../fold/node-state-of.js';
import { isChildless } from '../loop/children.js';
import { isLeftOut, isNextInLoop } from '../loop/turns.js';
import type { Batch } from './batch.js';
import { OUTPUT_BYTES, STATE_BYTES } from './engine-limits.js';
import { jsonBytes } from './json-size.js';
import { nodeEvent, runEvent } from './new-events.js';
import type { Moment, RunContext } from './moment.js';
import { nextOfOpenNode } from './open-node.js';
import { NodeQueue } from './node-queue.js';
import type { Redact } from './node-work.js';
import { cancelledNode, isHalfway, isOpen } from './open-nodes.js';
import { RunEdges } from './run-edges.js';
import { expressionError, runError } from './run-errors.js';
import { runOutputs } from './run-outputs.js';
import { triggerRuleOf, type RunPlan } from './run-plan.js';
import { startedNode } from './start-node.js';
import { readinessOf, type EdgeOutcome } from './trigger-rules.js';

export type StepContext = RunContext & { readonly plan: RunPlan; readonly redact: Redact };
type Failing = NonNullable<WorkflowRunState['failing']>;

/** Decides a run's next event, over and over. What it remembers saves time and changes no decision. */
export class RunStep {
  readonly #context: StepContext;
  readonly #edges: RunEdges;
  readonly #queue: NodeQueue;
  /** Whether everything that had to follow an event before this batch has been seen to. */
  #whole = false;
  /** The node whose failure is the run's; `null` before the run was looked through. */
  #failed: WorkflowNode | undefined | null = null;

  constructor(context: StepContext) {
    this.#context = context;
    this.#edges = new RunEdges(context.plan);
    this.#queue = new NodeQueue(context.plan);
  }

  /** Undefined where the run waits or has ended. */
  next(batch: Batch): NewRunEvent | undefined {
    const { state, head } = batch;
    if (state.ended || head < (state.replayTarget ?? 0)) return undefined;
    if (state.cancelling) return this.#cancel(state, state.cancelling);
    if (state.failing) return this.#fail(state, state.failing);
    const rest = this.#restOfPair(state, head);
    if (rest) return rest;
    const failing = this.#whyFailing(batch);
    if (failing) return this.#fail(state, failing);
    return breachOfDuration(state, this.#context) ?? this.#work(state, head);
  }

  /** After this event: what was derived from the run as it was before. */
  forget({ type, nodeId }: NewRunEvent): void {
    if (nodeId === undefined) return;
    this.#queue.wake(nodeId);
    this.#queue.wakeAll(this.#edges.forget(nodeId));
    this.#wakeLoop(nodeId);
    if (type === NODE_FAILED) this.#failed = null;
  }

  /** What follows a loop waits for all of it. */
  #wakeLoop(nodeId: string): void {
    const { loop } = this.#context.plan;
    if (!loop.has(nodeId)) return;
    for (const id of [loop.supervisorId, loop.dispatchId]) if (id !== undefined) this.#queue.wake(id);
  }

  /** A log may have been cut between two events that belong together: a fork begins anywhere. */
  #restOfPair(state: WorkflowRunState, head: number): NewRunEvent | undefined {
    if (this.#whole) return undefined;
    for (const node of this.#context.plan.nodes) {
      const nodeState = nodeStateOf(state, node.id);
      if (nodeState && isHalfway(nodeState))
        return nextOfOpenNode(node, nodeState, this.#moment(state, head));
    }
    this.#whole = true;
    return undefined;
  }

  #moment(state: WorkflowRunState, head: number): Moment {
    return { ...this.#context, edges: this.#edges, state, head };
  }

  #whyFailing(batch: Batch): Failing | undefined {
    const { plan } = this.#context;
    if (this.#failed === null) {
      this.#failed = plan.nodes.find(
        ({ id }) => nodeStateOf(batch.state, id)?.status === 'failed' && !plan.handlesFailureOf(id),
      );
    }
    const failed = this.#failed && nodeStateOf(batch.state, this.#failed.id);
    if (this.#failed && failed?.status === 'failed')
      return { error: failed.error, failedNodeId: this.#failed.id };
    if (!batch.stateIsTooLarge()) return undefined;
    return { error: runError('state_too_large', `The state of a run holds ${STATE_BYTES} bytes at most.`) };
  }

  #openNode(state: WorkflowRunState): WorkflowNode | undefined {
    return this.#context.plan.nodes.find(({ id }) => isOpen(nodeStateOf(state, id)));
  }

  /** Children end first, as far as the log says already that the run fails. */
  #fail(state: WorkflowRunState, failing: Failing): NewRunEvent | undefined {
    const open = this.#openNode(state);
    if (open) return cancelledNode(open.id, 'run-failed', state.failing ? {} : { failing });
    const isWaiting = state.failing && !isChildless(state, this.#context.outcome);
    return isWaiting ? undefined : runEvent(RUN_FAILED, failing);
  }

  /** Children end first. */
  #cancel(
    state: WorkflowRunState,
    why: NonNullable<WorkflowRunState['cancelling']>,
  ): NewRunEvent | undefined {
    const open = this.#openNode(state);
    if (open) return cancelledNode(open.id, 'run-cancelled');
    return isChildless(state, this.#context.outcome) ? runEvent(RUN_CANCELLED, why) : undefined;
  }

  #work(state: WorkflowRunState, head: number): NewRunEvent | undefined {
    const moment = this.#moment(state, head);
    const event = this.#queue.first((node) => {
      const nodeState = nodeStateOf(state, node.id);
      if (nodeState && !isNextInLoop(this.#context.plan.loop, node.id, state))
        return nextOfOpenNode(node, nodeState, moment);
      return this.#nextOfPending(node, moment);
    });
    return event ?? (this.#openNode(state) ? undefined : this.#complete(state));
  }

  #nextOfPending(node: WorkflowNode, moment: Moment): NewRunEvent | undefined {
    if (node.disabled) return nodeEvent(NODE_SKIPPED, node.id, { reason: 'disabled' });
    const { plan } = this.#context;
    if (isLeftOut(plan.loop, node.id, moment.state))
      return nodeEvent(NODE_SKIPPED, node.id, { reason: 'loop-ended' });
    const incoming = plan.incoming(node.id).filter((edge) => !plan.loop.isLoopback(edge));
    if (incoming.length === 0) return startedNode(node, 0, moment);
    const outcomes = incoming.map((edge) => this.#edges.outcome(edge, moment.state));
    const broken = incoming[outcomes.indexOf('broken')];
    if (broken) return this.#fail(moment.state, { error: expressionError({ edgeId: broken.id }) });
    const triggerRule = triggerRuleOf(incoming);
    const readiness = readinessOf(triggerRule, outcomes as readonly EdgeOutcome[]);
    if (readiness === 'skip')
      return nodeEvent(NODE_SKIPPED, node.id, { reason: 'trigger-rule', triggerRule });
    return readiness === 'start' ? startedNode(node, 0, moment) : undefined;
  }

  #complete(state: WorkflowRunState): NewRunEvent {
    const outputs = runOutputs(state, this.#context.plan);
    if (jsonBytes(outputs) <= OUTPUT_BYTES) return runEvent(RUN_COMPLETED, { outputs });
    const message = `The outputs of a run hold ${OUTPUT_BYTES} bytes of JSON at most.`;
    return runEvent(RUN_FAILED, { error: runError('output_too_large', message) });
  }
}

/** Time in which the run only waited for answers does not count (host specification §5.7). */
function breachOfDuration(
  state: WorkflowRunState,
  { now, runId, recordedAs }: StepContext,
): NewRunEvent | undefined {
  const limit = state.bounds.maxRunDurationMs;
  const measured = activeMsAt(state, now);
  if (measured <= limit) return undefined;
  // No two replays measure the same: theirs say that the bound is exceeded, and not by how much.
  const observed = recordedAs === runId ? measured : limit + 1;
  return runEvent(CAP_BREACHED, { kind: 'run-duration', limit, observed });
}
