import { z } from 'zod';
import { contextSettingsSchema } from '../context-settings.js';
import { replayFlagsSchema } from '../replay-flags.js';

/** Events of a run that the host executes (host specification §4). Open payloads are loose objects, closed ones strict. */
export const NODE_STARTED = 'node.started';
export const NODE_COMPLETED = 'node.completed';
export const NODE_FAILED = 'node.failed';
export const NODE_SUSPENDED = 'node.suspended';
export const NODE_RESUMED = 'node.resumed';
export const NODE_RETRIED = 'node.retried';
export const NODE_SKIPPED = 'node.skipped';
export const NODE_CANCELLED = 'node.cancelled';
export const NODE_DISPATCHED = 'node.dispatched';
export const INTERRUPT_REQUESTED = 'interrupt.requested';
export const INTERRUPT_RESOLVED = 'interrupt.resolved';
export const APPROVAL_RECEIVED = 'approval.received';
export const CLARIFICATION_RESOLVED = 'clarification.resolved';
export const CAP_BREACHED = 'cap.breached';

const id = z.string().min(1).max(256);
const jsonObject = z.record(z.string(), z.json());

/** The error object inside payloads and snapshots; not the HTTP envelope. */
export const runErrorSchema = z.looseObject({
  code: z.string().min(1),
  message: z.string().min(1),
  details: jsonObject.optional(),
  retryable: z.boolean().optional(),
});

export const SUSPEND_KINDS = [
  'approval',
  'clarification',
  'external-event',
  'custom',
  'low-confidence',
] as const;

export const suspendKindSchema = z.enum(SUSPEND_KINDS);

export const APPROVAL_ACTIONS = ['accept', 'reject', 'refine', 'edit-accept', 'ask'] as const;

export const approvalDataSchema = z.looseObject({
  artifactId: id,
  artifactType: id,
  title: z.string().min(1),
  actions: z.array(z.enum(APPROVAL_ACTIONS)).min(1),
});

export const clarificationDataSchema = z.strictObject({
  questions: z
    .array(z.strictObject({ id, question: z.string().min(1), schema: jsonObject.optional() }))
    .min(1),
  contextType: z.string().optional(),
});

export const externalEventDataSchema = z.strictObject({
  eventType: z.string().min(1),
  correlation: jsonObject,
});

/** Host specification §4.9, closed: the SuspendRequest. Identity stands on the envelope and on `node.suspended`. */
export const interruptRequestedSchema = z.strictObject({
  kind: suspendKindSchema,
  key: id,
  data: jsonObject,
  resumeSchema: jsonObject.optional(),
  timeoutMs: z.int().min(0).optional(),
});

export const nodeStartedSchema = z.looseObject({
  nodeId: id,
  typeId: z.string().min(1),
  attempt: z.int().min(0),
});
export const nodeCompletedSchema = z.looseObject({ nodeId: id, outputs: jsonObject.optional() });
export const nodeFailedSchema = z.looseObject({
  nodeId: id,
  error: runErrorSchema,
  attempts: z.int().min(1),
});
export const nodeSuspendedSchema = z.looseObject({
  nodeId: id,
  interruptId: id,
  kind: suspendKindSchema,
  key: id,
});
export const nodeResumedSchema = z.looseObject({
  nodeId: id,
  interruptId: id,
  resumeValue: z.json().optional(),
});
export const nodeRetriedSchema = z.looseObject({
  nodeId: id,
  attempt: z.int().min(1),
  delayMs: z.int().min(0),
  lastError: runErrorSchema,
});
export const nodeSkippedSchema = z.looseObject({ nodeId: id, reason: z.string().min(1) });
export const nodeCancelledSchema = z.looseObject({ nodeId: id, reason: z.string().min(1) });
/** Host specification §4.1, closed. */
export const nodeDispatchedSchema = z.strictObject({
  childRunId: id,
  childWorkflowId: id,
  childStatus: z.string().min(1),
});

export const interruptResolvedSchema = z.looseObject({
  nodeId: id,
  interruptId: id,
  kind: suspendKindSchema,
  resumeValue: z.json().optional(),
});
export const approvalReceivedSchema = z.looseObject({
  nodeId: id,
  action: z.enum(['accept', 'reject', 'refine', 'edit-accept', 'timeout']),
  decidedBy: z.string().min(1).optional(),
});
export const clarificationResolvedSchema = z.looseObject({ nodeId: id, answers: jsonObject });

/** Host specification §4.6, open; `observed > limit`, always. */
export const capBreachedSchema = z
  .looseObject({
    kind: z.enum([
      'clarification',
      'schema',
      'envelopes',
      'node-executions',
      'wasm-memory',
      'wasm-fuel',
      'wasm-execution-time',
      'run-duration',
      'loop-iterations',
      'budget-tokens',
      'budget-cost',
      'budget-tool-calls',
      'budget-retries',
    ]),
    limit: z.number().min(0),
    observed: z.number().min(0),
    nodeId: z.string().min(1).optional(),
  })
  .refine(({ limit, observed }) => observed > limit, 'observed must exceed limit');

export const runFailedSchema = z.looseObject({ error: runErrorSchema, failedNodeId: z.string().optional() });
export const runCancelledSchema = z.looseObject({
  reason: z.string().optional(),
  cancelledBy: z.string().optional(),
  parentRunId: z.string().optional(),
});

/** Bounds in effect for a run (host specification §5.7): the tightest of host, workflow and request. */
export const runBoundsSchema = z.strictObject({
  maxNodeExecutions: z.int().min(1),
  /** Milliseconds of time not spent suspended. */
  maxRunDurationMs: z.int().min(1),
  /** Turns of the execution loop; present where the workflow has one. */
  maxLoopIterations: z.int().min(1).optional(),
});

/**
 * What `run.started` of an executed run holds beside the registered keys: everything that its state begins with, so that
 * the state is a function of the log.
 */
export const workflowStartedSchema = z.looseObject({
  workflowId: z.string().min(1),
  workflowDigest: z.string().min(1),
  /** Names the first run of a chain of forks: ids inside payloads are derived from it (host specification §6.6). */
  rootRunId: z.string().min(1),
  inputs: jsonObject,
  /** Values of variables that `inputs` leave to their defaults. */
  defaults: jsonObject,
  bounds: runBoundsSchema,
  /** What the windows of its execution loop are held to. */
  context: contextSettingsSchema.optional(),
  engineVersion: z.string().min(1),
  transport: z.literal('rest'),
  owner: z.strictObject({ tenant: z.string() }),
  configurable: jsonObject.optional(),
  tags: z.array(z.string()).optional(),
  metadata: jsonObject.optional(),
  scopeId: z.string().optional(),
  parentRunId: z.string().optional(),
  depth: z.int().min(1).optional(),
  replayFlags: replayFlagsSchema.optional(),
});

export type RunError = z.infer<typeof runErrorSchema>;
export type SuspendKind = (typeof SUSPEND_KINDS)[number];
export type InterruptRequested = z.infer<typeof interruptRequestedSchema>;
export type RunBounds = z.infer<typeof runBoundsSchema>;
export type WorkflowStarted = z.infer<typeof workflowStartedSchema>;
