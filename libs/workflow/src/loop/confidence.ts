import {
  CONFIDENCE_ESCALATED,
  type JsonObject,
  type LoopState,
  type OrchestratorDecision,
  type WorkflowNode,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { approvalSchema, RATIFYING } from '../interrupts/approval-answer.js';
import type { Suspension } from '../node-types/node-type.js';
import { memberOf } from '../values/scope.js';

/** Strictly below it, a decision is escalated before anything else (host specification §5.5). */
export const CONFIDENCE_FLOOR = 0.5;
/** Strictly below it, a decision is held (CP-1), where the run names no threshold of its own. */
const ESCALATION_THRESHOLD = 0.7;

type Proposed = {
  readonly proposal: { readonly confidence?: number };
  readonly recordedAs: string;
  readonly state: WorkflowRunState;
  readonly loop: LoopState;
};

/** What holds a decision back: an event that comes before the interrupt, or the interrupt; undefined where nothing does. */
type Hold =
  | { readonly event: { readonly type: string; readonly payload: object }; readonly request?: never }
  | { readonly request: Suspension; readonly event?: never };

export function heldFor(decision: OrchestratorDecision, proposed: Proposed): Hold | undefined {
  const observed = confidenceOf(decision, proposed.proposal);
  if (observed === undefined) return undefined;
  if (observed < CONFIDENCE_FLOOR) return { event: escalation(decision, observed, proposed.recordedAs) };
  const threshold = thresholdOf(proposed.state);
  if (observed >= threshold) return undefined;
  const { agentId } = proposed.loop.agent;
  const data: JsonObject = { agentId, threshold, observed, decision: decision as JsonObject };
  return { request: { kind: 'low-confidence', data, resumeSchema: approvalSchema(RATIFYING) } };
}

/** Asking somebody is careful already, and has no confidence. */
function confidenceOf(
  decision: OrchestratorDecision,
  { confidence }: { readonly confidence?: number },
): number | undefined {
  return decision.kind === 'ask-user' ? undefined : (decision.confidence ?? confidence);
}

function thresholdOf({ configurable }: WorkflowRunState): number {
  const own = memberOf(configurable, 'escalationThreshold');
  return typeof own === 'number' ? own : ESCALATION_THRESHOLD;
}

function escalation(
  decision: OrchestratorDecision,
  confidence: number,
  parentRunId: string,
): NonNullable<Hold['event']> {
  const workerId = decision.kind === 'next-worker' ? decision.nextWorkerIds[0] : undefined;
  const payload = {
    confidence,
    floor: CONFIDENCE_FLOOR,
    escalationKind: 'escalate',
    parentRunId,
    ...(workerId !== undefined && { workerId }),
    originalDecision: decision,
  };
  return { type: CONFIDENCE_ESCALATED, payload };
}

/** After the escalation: an approval of the decision as it was proposed. */
export function ratificationRequest(
  { id, name }: WorkflowNode,
  { held, iteration }: LoopState,
  { rootRunId }: WorkflowRunState,
): Suspension {
  const data = {
    artifactId: `${rootRunId}:${id}:${iteration + 1}`,
    artifactType: 'orchestrator-decision',
    title: name,
    actions: RATIFYING,
    artifactData: held,
  } as unknown as JsonObject;
  return { kind: 'approval', data, resumeSchema: approvalSchema(RATIFYING) };
}
