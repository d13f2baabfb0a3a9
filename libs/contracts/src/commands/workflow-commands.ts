import { z } from 'zod';
import { contextSettingsSchema } from '../context-settings.js';
import { runBoundsSchema } from '../events/workflow-events.js';
import { runIdSchema, tenantIdSchema } from '../ids.js';
import { runStatusSchema } from '../run-status.js';
import { isStorableJson, storableJsonObjectSchema, storableTextSchema } from '../storable-json.js';
import {
  nodeIdSchema,
  workflowDefinitionSchema,
  workflowDigestSchema,
  workflowIdSchema,
} from '../workflow/definition.js';
import { commandIdSchema } from './run-log-commands.js';

/** Commands on runs that the host executes; the run log answers them. */
export const WORKFLOW_RUN_SUBJECTS = {
  start: 'palimpsest.run-log.start-workflow',
  resolveInterrupt: 'palimpsest.run-log.resolve-interrupt',
  cancel: 'palimpsest.run-log.cancel-run',
} as const;

/** What the orchestrator answers. */
export const ORCHESTRATOR_SUBJECTS = {
  readWorkflow: 'palimpsest.orchestrator.read-workflow',
  registerWorkflow: 'palimpsest.orchestrator.register-workflow',
  fixtures: 'palimpsest.orchestrator.fixtures',
  forgetRegistered: 'palimpsest.orchestrator.forget-registered',
  programMock: 'palimpsest.orchestrator.program-mock',
  askMock: 'palimpsest.orchestrator.ask-mock',
  verifyCalls: 'palimpsest.orchestrator.verify-calls',
  countSideEffects: 'palimpsest.orchestrator.count-side-effects',
} as const;

const runKey = { tenantId: tenantIdSchema, runId: runIdSchema };
const commandId = commandIdSchema.optional();
const storableJson = z.json().refine(isStorableJson, 'must be well-formed Unicode without NUL');

/** Validated against the definition before; `inputs` and `defaults` together are the run's variables. */
export const startWorkflowSchema = z.strictObject({
  ...runKey,
  workflowId: workflowIdSchema,
  workflowDigest: workflowDigestSchema,
  inputs: storableJsonObjectSchema,
  defaults: storableJsonObjectSchema,
  bounds: runBoundsSchema,
  configurable: storableJsonObjectSchema.optional(),
  tags: z.array(storableTextSchema.min(1).max(256)).max(100).optional(),
  metadata: storableJsonObjectSchema.optional(),
  scopeId: storableTextSchema.min(1).max(256).optional(),
  /** What the windows of its execution loop are held to; of a child run, its parent's. */
  context: contextSettingsSchema.optional(),
  parentRunId: runIdSchema.optional(),
  /** Of a run that a dispatch started: one more than its parent's. */
  depth: z.int().min(1).optional(),
  commandId,
});

/**
 * Refused with `interrupt_not_found`, `interrupt_already_resolved`, `interrupt_cancelled` or `validation_error`
 * (host specification §3.5). `interruptId`: only this one, where the answer belongs to a token.
 */
export const resolveInterruptSchema = z.strictObject({
  ...runKey,
  nodeId: nodeIdSchema,
  interruptId: storableTextSchema.min(1).max(256).optional(),
  resumeValue: storableJson,
  /** Opaque, host-populated. */
  decidedBy: storableTextSchema.min(1).max(128),
  commandId,
});

/** Of a run of any kind. On one that has ended it changes nothing and answers its status. */
export const cancelRunSchema = z.strictObject({
  ...runKey,
  reason: storableTextSchema.min(1).max(1024).optional(),
  cancelledBy: storableTextSchema.min(1).max(128).optional(),
  /** Where the cancellation of a parent reaches its child. */
  parentRunId: runIdSchema.optional(),
  commandId,
});

export const runStatusAnswerSchema = z.strictObject({ runId: runIdSchema, status: runStatusSchema });

/** By id, the newest that the tenant sees (its own before the host's); by digest, that version whoever registered it. */
export const readWorkflowSchema = z.union([
  z.strictObject({ tenantId: tenantIdSchema, workflowId: z.string().max(256) }),
  z.strictObject({ digest: workflowDigestSchema }),
]);

export const workflowAnswerSchema = z.strictObject({
  workflow: z.strictObject({ definition: workflowDefinitionSchema, digest: workflowDigestSchema }).nullable(),
});

/** Test seam only: a definition that this tenant alone sees. */
export const registerWorkflowSchema = z.strictObject({
  tenantId: tenantIdSchema,
  definition: workflowDefinitionSchema,
});

export const fixturesAnswerSchema = z.strictObject({ workflowIds: z.array(z.string()) });

export const forgetRegisteredSchema = z.strictObject({ tenantId: tenantIdSchema });

/** Test seam only: what the provider `mock` answers to a tenant's node, call after call. Replaces what was there. */
export const programMockSchema = z.strictObject({
  tenantId: tenantIdSchema,
  nodeId: nodeIdSchema,
  program: z
    .array(
      z.strictObject({
        content: storableTextSchema.max(64 * 1024),
        /** `safety` and `refusal` refuse; `max_tokens` cuts off. */
        stopReason: storableTextSchema.min(1).max(64),
        refusalText: storableTextSchema.max(4096).optional(),
      }),
    )
    .max(256),
});

export const mockProgrammedSchema = z.strictObject({ count: z.int().min(0) });

/**
 * A node of a replay is put to the provider `mock` again (host specification §6.5). Takes the next answer of the node's
 * program; the same run and node asked again get the same.
 */
export const askMockSchema = z.strictObject({
  ...runKey,
  nodeId: nodeIdSchema,
  /** Of the definition that the run executes. */
  digest: workflowDigestSchema,
});

/** `valid`: an answer that the node completes with. `refusal`: the mock refuses. `none`: no answer is left, or it is neither. */
export const mockKindSchema = z.strictObject({ kind: z.enum(['valid', 'refusal', 'none']) });

/** Test seam only: how often nodes of this id had their effect outside, in all runs of the tenant. */
export const countSideEffectsSchema = z.strictObject({ tenantId: tenantIdSchema, nodeId: nodeIdSchema });

export const sideEffectsCountedSchema = z.strictObject({ count: z.int().min(0) });

/** Every call of a model that a run has the answer of, asked again in mind: is it what the kept answer came of? */
export const verifyCallsSchema = z.strictObject(runKey);

export const callsVerifiedSchema = z.strictObject({
  /** Calls whose request was made again and compared. */
  checked: z.int().min(0),
  /** Calls that nothing is known of any more: the answer's keeping is over, or content that was fed is erased. */
  unkept: z.int().min(0),
  /** The answer at this place came of another request than the record gives. */
  firstDifference: z
    .strictObject({
      sequence: z.int().min(0),
      nodeId: nodeIdSchema,
      /** Of a turn. */
      iteration: z.int().min(1).optional(),
    })
    .optional(),
});

/** Work of the orchestrator: a run has come to a place from which it may go on. */
export const advanceRunSchema = z.strictObject({ ...runKey });

export type StartWorkflow = z.infer<typeof startWorkflowSchema>;
export type ResolveInterrupt = z.infer<typeof resolveInterruptSchema>;
export type CancelRun = z.infer<typeof cancelRunSchema>;
export type RunStatusAnswer = z.infer<typeof runStatusAnswerSchema>;
export type ReadWorkflow = z.infer<typeof readWorkflowSchema>;
export type RegisterWorkflow = z.infer<typeof registerWorkflowSchema>;
export type ProgramMock = z.infer<typeof programMockSchema>;
export type MockAnswer = ProgramMock['program'][number];
export type AskMock = z.infer<typeof askMockSchema>;
export type CountSideEffects = z.infer<typeof countSideEffectsSchema>;
export type CallsVerified = z.infer<typeof callsVerifiedSchema>;
export type MockKind = z.infer<typeof mockKindSchema>;
export type AdvanceRun = z.infer<typeof advanceRunSchema>;
