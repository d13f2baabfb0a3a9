import { z } from 'zod';
import { contextSettingsSchema } from '../context-settings.js';
import { pinsStateSchema } from '../events/pin-events.js';
import { runBoundsSchema, runErrorSchema, suspendKindSchema } from '../events/workflow-events.js';
import { replayFlagsSchema } from '../replay-flags.js';
import { trustedJsonObjectSchema } from '../storable-json.js';
import { loopStateSchema } from './loop-state.js';

const instant = z.string();

/** An interrupt that waits for an answer. */
export const openInterruptSchema = z.strictObject({
  /** Equal to `key`: derived from the root run, the node and a count, so that a replay repeats it. */
  interruptId: z.string(),
  key: z.string(),
  kind: suspendKindSchema,
  data: trustedJsonObjectSchema,
  resumeSchema: trustedJsonObjectSchema.optional(),
  requestedAt: instant,
  timeoutMs: z.int().min(0).optional(),
});

/** `sequence` of `interrupt.resolved`; `told`: the event of its kind is on the log, too. */
const interruptAnswerSchema = z.strictObject({
  value: z.json(),
  resolvedBy: z.string().optional(),
  sequence: z.int().min(0),
  told: z.boolean(),
});

/** What every state of a node remembers: how often it was started and suspended. */
const history = { attempt: z.int().min(0), suspensions: z.int().min(0) };

export const nodeStateSchema = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('running'),
    ...history,
    startedAt: instant,
    /** Of a delay: its length, decided when it started. */
    delayMs: z.int().min(0).optional(),
    /** Where an interrupt was requested and the node is not suspended yet. */
    requested: openInterruptSchema.optional(),
    /** Of that `interrupt.requested`: others may append to the run's log before the node is suspended. */
    requestedSequence: z.int().min(0).optional(),
    /** Where an interrupt was answered and the node has not gone on yet. */
    resumed: z.strictObject({ kind: suspendKindSchema, value: z.json() }).optional(),
  }),
  z.strictObject({
    status: z.literal('suspended'),
    ...history,
    startedAt: instant,
    interrupt: openInterruptSchema,
    /** Where it was answered and the node is not resumed yet. */
    answer: interruptAnswerSchema.optional(),
    /** Where its time ran out and the node has not failed yet. */
    timedOut: z.literal(true).optional(),
  }),
  /** Waits for its next attempt, `attempt`. */
  z.strictObject({ status: z.literal('retrying'), ...history, since: instant, delayMs: z.int().min(0) }),
  z.strictObject({ status: z.literal('completed'), ...history, outputs: trustedJsonObjectSchema }),
  z.strictObject({ status: z.literal('failed'), ...history, error: runErrorSchema }),
  z.strictObject({ status: z.literal('skipped'), ...history, reason: z.string() }),
  z.strictObject({ status: z.literal('cancelled'), ...history, reason: z.string() }),
]);

/** The part of a header's `state` that belongs to a run that the host executes. A function of its events. */
export const workflowRunStateSchema = z.strictObject({
  kind: z.literal('workflow'),
  workflowDigest: z.string(),
  rootRunId: z.string(),
  inputs: trustedJsonObjectSchema,
  variables: trustedJsonObjectSchema,
  bounds: runBoundsSchema,
  /** What the windows of its execution loop are held to. */
  context: contextSettingsSchema.optional(),
  /** Absent where there are none. */
  pins: pinsStateSchema.optional(),
  /** Nodes that were started, skipped or cancelled. */
  nodes: z.record(z.string(), nodeStateSchema),
  /** Of the run's last event: ids of causes are derived from it. */
  lastSequence: z.int().min(0),
  /** `node.started` so far, repeated attempts included. */
  nodeExecutions: z.int().min(0),
  /** Time not spent suspended, up to `activeSince` where the run is active, else in all. */
  activeMs: z.int().min(0),
  activeSince: instant.optional(),
  /** Runs that this one started and that have not ended. */
  children: z.array(z.string()),
  configurable: trustedJsonObjectSchema.optional(),
  tags: z.array(z.string()).optional(),
  metadata: trustedJsonObjectSchema.optional(),
  scopeId: z.string().optional(),
  parentRunId: z.string().optional(),
  /** How many runs started each other up to this one; absent for a run that nobody's dispatch started. */
  depth: z.int().min(1).optional(),
  replayFlags: replayFlagsSchema.optional(),
  /** From the first visit of the supervisor on. */
  loop: loopStateSchema.optional(),
  /** Set while the run is being cancelled: nodes or children have yet to end. */
  cancelling: z
    .strictObject({
      reason: z.string().optional(),
      cancelledBy: z.string().optional(),
      parentRunId: z.string().optional(),
    })
    .optional(),
  /** Set where it is decided that the run fails and `run.failed` is not on the log yet. */
  failing: z.strictObject({ error: runErrorSchema, failedNodeId: z.string().optional() }).optional(),
  /** How it ended. */
  ended: z.enum(['completed', 'failed', 'cancelled']).optional(),
  outputs: trustedJsonObjectSchema.optional(),
  error: runErrorSchema.optional(),
  /** On a fork: sequence up to which its source's events are re-emitted; it is not complete below. */
  replayTarget: z.int().min(0).optional(),
});

export type OpenInterrupt = z.infer<typeof openInterruptSchema>;
export type NodeState = z.infer<typeof nodeStateSchema>;
export type WorkflowRunState = z.infer<typeof workflowRunStateSchema>;
