import { z } from 'zod';
import {
  appendedMessagesSchema,
  artifactIdSchema,
  contextSettingsSchema,
  fateRangeSchema,
  forkedRunSchema,
  pinIdSchema,
  runIdSchema,
  runStatusSchema,
  sequenceSchema,
  suspendKindSchema,
  tokenCounterSchema,
} from '@palimpsest/contracts';

const links = { eventsUrl: z.string(), statusUrl: z.string() };

export const createdRunSchema = z.object({
  runId: runIdSchema,
  status: runStatusSchema,
  ...links,
  /** Of a run with windows. */
  context: contextSettingsSchema.optional(),
});

const interrupt = {
  interruptId: z.string(),
  kind: suspendKindSchema,
  data: z.record(z.string(), z.unknown()),
  resumeSchema: z.record(z.string(), z.unknown()).optional(),
  nodeId: z.string(),
};

const waitingInterruptSchema = z.looseObject({
  ...interrupt,
  key: z.string(),
  /** For keys with approvals:respond. */
  interruptToken: z.string().optional(),
  callbackUrl: z.string().optional(),
  inspectToken: z.string().optional(),
});

export const shownInterruptSchema = z.object({
  runId: runIdSchema,
  ...interrupt,
  expiresAt: z.iso.datetime(),
});

const jsonObject = z.record(z.string(), z.unknown());

const agentRefSchema = z.looseObject({
  agentId: z.string(),
  name: z.string().optional(),
  modelClass: z.string().optional(),
});

export const runSnapshotSchema = z.looseObject({
  runId: runIdSchema,
  workflowId: z.string(),
  status: runStatusSchema,
  owner: z.object({ tenant: z.string() }),
  startedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().optional(),
  engineVersion: z.string(),
  eventLogSchemaVersion: z.int(),
  /** Of a run that the host executes, from here. A list leaves out the objects. */
  currentNodeId: z.string().optional(),
  inputs: jsonObject.optional(),
  variables: jsonObject.optional(),
  channels: jsonObject.optional(),
  nodeStates: z.record(z.string(), z.looseObject({ status: z.string(), attempt: z.int().min(0) })).optional(),
  outputs: jsonObject.optional(),
  error: z
    .object({ code: z.string().min(1), message: z.string().min(1), details: jsonObject.optional() })
    .optional(),
  scopeId: z.string().optional(),
  parentRunId: z.string().optional(),
  /** Who decides, in a run with a supervisor. */
  agent: agentRefSchema.optional(),
  runOrchestrator: agentRefSchema.optional(),
  interrupt: waitingInterruptSchema.optional(),
  /** Of a run of any kind. */
  configurable: z.looseObject({ context: contextSettingsSchema.optional() }).optional(),
  tags: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  sourceRunId: runIdSchema.optional(),
  fromSeq: sequenceSchema.optional(),
  mode: z.enum(['replay', 'branch']).optional(),
  lastSequence: z.int().min(-1),
  lastMessageSequence: z.int().min(-1).optional(),
  messageCount: z.int().min(0).optional(),
});

export const bulkCancelAnswerSchema = z.object({
  results: z.array(
    z.object({
      runId: z.string(),
      ok: z.boolean(),
      status: runStatusSchema.optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
});

export const runListSchema = z.object({
  runs: z.array(runSnapshotSchema),
  nextCursor: z.string().optional(),
});

export const appendedTurnsSchema = appendedMessagesSchema;

const tokens = z.int().min(0);

export const addedPinSchema = z.object({
  pinId: pinIdSchema,
  eventId: z.string(),
  tokens,
  pinnedTokens: tokens,
});

export const removedPinSchema = z.object({ pinId: pinIdSchema, removed: z.literal(true) });

export const pinListSchema = z.object({
  pins: z.array(z.object({ pinId: pinIdSchema, eventId: z.string(), tokens, at: z.iso.datetime() })),
  pinnedTokens: tokens,
});

export const forkAnswerSchema = forkedRunSchema.extend(links);

export const artifactSchema = z.object({
  artifactId: artifactIdSchema,
  runId: runIdSchema,
  artifactType: z.string(),
  createdAt: z.iso.datetime(),
  content: z.unknown(),
});

export const erasedArtifactsSchema = z.object({ artifactIds: z.array(artifactIdSchema) });

export const erasedContentSchema = z.object({
  runId: runIdSchema,
  /** Numbers of artifacts; erased by this request. */
  erased: z.int().min(0),
  kept: z.int().min(0),
});

export const eventListSchema = z.object({
  events: z.array(
    z.looseObject({
      eventId: z.string(),
      runId: runIdSchema,
      type: z.string(),
      payload: z.record(z.string(), z.unknown()),
      timestamp: z.iso.datetime(),
      sequence: sequenceSchema,
      schemaVersion: z.int().optional(),
      nodeId: z.string().optional(),
      causationId: z.string().optional(),
    }),
  ),
});

export const eventPollSchema = eventListSchema.extend({
  runId: runIdSchema,
  isComplete: z.boolean(),
  isTerminal: z.boolean(),
  runStatus: runStatusSchema,
  lastEventSeq: z.int().min(-1),
});

export const windowDocumentSchema = z.object({
  runId: runIdSchema,
  iteration: z.int().min(1),
  eventId: z.string(),
  asOfSequence: sequenceSchema,
  lastMessageSequence: z.int().min(-1),
  tokenCounter: tokenCounterSchema,
  tokenCount: z.int().min(0),
  unboundedTokenCount: z.int().min(0),
  instructionTokens: z.int().min(0),
  eventIds: z.array(z.string()),
  summarizedRanges: z.array(
    z.object({ eventId: z.string(), summaryRef: artifactIdSchema, replacedTurns: z.array(z.string()) }),
  ),
  entries: z.array(
    z.object({
      eventId: z.string(),
      kind: z.enum(['turn', 'summary', 'pin']),
      form: z.enum(['full', 'cut', 'elided']),
      rendered: z.string(),
      tokens: z.int().min(0),
    }),
  ),
  format: z.enum(['openai', 'anthropic']),
  messages: z.array(z.record(z.string(), z.unknown())),
  /** Anthropic's shape only. */
  system: z.array(z.record(z.string(), z.unknown())).optional(),
  /** Of a recorded window that is read. */
  fates: z.array(fateRangeSchema).optional(),
});
