import { z } from 'zod';
import { artifactIdSchema } from '../ids.js';
import { runErrorSchema } from './workflow-events.js';

/** Events of the execution loop (host specification §4.2 to §4.4): closed, and on the log of the run whose loop it is. */
export const ORCHESTRATOR_DECIDED = 'runOrchestrator.decided';
export const WORKFLOW_CHAIN_EVENT = 'core.workflowChain.event';
export const CONFIDENCE_ESCALATED = 'core.workflowChain.confidence-escalated';
/** Host specification §4.10 (open). */
export const VARIABLE_CHANGED = 'variable.changed';
/** A run is to be cancelled and has children to end before, but no node whose event could say so. */
export const RUN_CANCELLING = 'palimpsest.run.cancelling';

/** A worker returned something to a loop that a model decides: beside the hand-off's closed events, and free of content. */
export const WORKER_RETURNED = 'palimpsest.worker.returned';

const id = z.string().min(1).max(256);
const share = z.number().min(0).max(1);

/** Host specification §5.2: what a turn of the supervisor decides. */
export const orchestratorDecisionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('next-worker'),
    nextWorkerIds: z.array(id).min(1),
    confidence: share.optional(),
  }),
  z.strictObject({ kind: z.literal('ask-user'), prompt: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('terminate'),
    reason: z.string().min(1).optional(),
    confidence: share.optional(),
    successCriteria: z.array(z.strictObject({ key: z.string().min(1), met: z.boolean() })).optional(),
  }),
]);

/** At least three characters: who decides, the same for a whole run. */
export const agentIdSchema = z.string().min(3).max(256);

export const orchestratorDecidedSchema = z.strictObject({
  agentId: agentIdSchema,
  decision: orchestratorDecisionSchema,
  /** 1 for the first decision of the run, then one more each. */
  iteration: z.int().min(1),
  causationHostId: z.string().min(1).optional(),
});

const common = {
  /** The worker as the decision named it. */
  workerId: id,
  parentRunId: id,
  attestation: z.strictObject({ checksum: z.string().min(1), algorithm: z.literal('sha256') }).optional(),
  causationHostId: z.string().min(1).optional(),
};
const ofChild = { ...common, childRunId: id };

/** Host specification §4.3: one handoff, phase by phase. */
export const workflowChainEventSchema = z.discriminatedUnion('phase', [
  z.strictObject({ phase: z.literal('dispatch.began'), ...common }),
  z.strictObject({ phase: z.literal('dispatch.failed'), ...common, error: runErrorSchema.optional() }),
  z.strictObject({ phase: z.literal('dispatch.succeeded'), ...ofChild }),
  z.strictObject({ phase: z.literal('child.completed'), ...ofChild }),
  z.strictObject({ phase: z.literal('child.failed'), ...ofChild, error: runErrorSchema.optional() }),
  z.strictObject({ phase: z.literal('child.cancelled'), ...ofChild, error: runErrorSchema.optional() }),
  /** `harvestedKeys`: variables of the parent. */
  z.strictObject({ phase: z.literal('output.harvested'), ...ofChild, harvestedKeys: z.array(z.string()) }),
]);

export const confidenceEscalatedSchema = z.strictObject({
  confidence: share,
  floor: z.number().min(0.5).max(1),
  escalationKind: z.enum(['clarify', 'escalate']),
  parentRunId: id,
  workerId: id.optional(),
  originalDecision: orchestratorDecisionSchema,
  causationHostId: z.string().min(1).optional(),
});

/** `data` of an interrupt of the kind `low-confidence` (host specification §4.9, closed). */
export const lowConfidenceDataSchema = z.strictObject({
  agentId: agentIdSchema,
  threshold: share,
  observed: share,
  decision: orchestratorDecisionSchema,
});

export const variableChangedSchema = z.looseObject({
  name: z.string().min(1),
  previous: z.json().optional(),
  next: z.json(),
  nodeId: z.string().min(1).optional(),
});

/** Caused by `child.completed`. The artifact is the message that a model reads of the worker's outputs. */
export const workerReturnedSchema = z.strictObject({
  workerId: id,
  childRunId: id,
  artifactId: artifactIdSchema,
});

export const runCancellingSchema = z.strictObject({
  reason: z.string().optional(),
  cancelledBy: z.string().optional(),
  parentRunId: z.string().optional(),
});

export type OrchestratorDecision = z.infer<typeof orchestratorDecisionSchema>;
export type WorkflowChainEvent = z.infer<typeof workflowChainEventSchema>;
export type ChainPhase = WorkflowChainEvent['phase'];
