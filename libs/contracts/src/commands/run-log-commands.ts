import { z } from 'zod';
import { sha256HexSchema } from '../event-link.js';
import { artifactIdSchema, runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { forkOriginSchema } from '../events/own-loop-events.js';
import { contextSettingsSchema } from '../context-settings.js';
import { pinsStateSchema } from '../events/pin-events.js';
import { replayFlagsSchema } from '../replay-flags.js';
import { runStatusSchema } from '../run-status.js';
import { storableJsonObjectSchema, storableTextSchema, trustedJsonObjectSchema } from '../storable-json.js';
import { tokenCountsSchema } from '../token-counts.js';

/** Bus subjects that the run log answers. */
export const RUN_LOG_SUBJECTS = {
  createRun: 'palimpsest.run-log.create-run',
  appendMessages: 'palimpsest.run-log.append-messages',
  finishRun: 'palimpsest.run-log.finish-run',
  append: 'palimpsest.run-log.append',
  reEmit: 'palimpsest.run-log.re-emit',
  fork: 'palimpsest.run-log.fork',
  header: 'palimpsest.run-log.header',
  list: 'palimpsest.run-log.list',
  read: 'palimpsest.run-log.read',
  contextReferences: 'palimpsest.run-log.context-references',
} as const;

const runKey = { tenantId: tenantIdSchema, runId: runIdSchema };

/** A caller's retry carries the same id and gets what was recorded. */
export const commandIdSchema = storableTextSchema.min(1).max(128);
const commandId = commandIdSchema.optional();

/** Ids are keys of a run's state, so the one key that JavaScript objects treat apart is refused. */
const toolCallId = storableTextSchema
  .min(1)
  .max(256)
  .refine((id) => id !== '__proto__', 'is reserved');

export const createRunSchema = z.strictObject({
  ...runKey,
  workflowId: storableTextSchema.min(1).max(128),
  context: contextSettingsSchema,
  inputs: storableJsonObjectSchema.optional(),
  tags: z.array(storableTextSchema.min(1).max(256)).max(100).optional(),
  metadata: storableJsonObjectSchema.optional(),
  configurable: storableJsonObjectSchema.optional(),
  commandId,
});

/** One message whose content is already durable: what the log needs to know of it. */
export const messageDraftSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  artifactId: artifactIdSchema,
  toolCallIds: z.array(toolCallId),
  counts: tokenCountsSchema,
  repaired: z.boolean(),
});

export const appendMessagesSchema = z.strictObject({
  ...runKey,
  messages: z.array(messageDraftSchema).min(1),
  /** Sequence of the last message event the caller knows, −1 for none. */
  expectedSequence: z.int().min(-1).optional(),
  commandId,
});

export const finishRunSchema = z.strictObject({ ...runKey, commandId });

export type CreateRun = z.infer<typeof createRunSchema>;
export type MessageDraft = z.infer<typeof messageDraftSchema>;
export type AppendMessages = z.infer<typeof appendMessagesSchema>;
export type FinishRun = z.infer<typeof finishRunSchema>;

export const appendedMessagesSchema = z.strictObject({
  firstSequence: sequenceSchema,
  lastSequence: sequenceSchema,
  lastMessageSequence: sequenceSchema,
  eventIds: z.array(z.string()),
});

export type AppendedMessages = z.infer<typeof appendedMessagesSchema>;

/** What is known of a run without reading its log; exact as of `head`. */
export const runHeaderSchema = z.strictObject({
  ...runKey,
  workflowId: z.string(),
  status: runStatusSchema,
  /** Sequence of the last event; −1 on a fork from 0 that has none yet. */
  head: z.int().min(-1),
  createdAt: z.string(),
  updatedAt: z.string(),
  state: trustedJsonObjectSchema,
  origin: forkOriginSchema.optional(),
  /** Link of the last event, or of the fork's beginning; absent on a run from before there were chains. */
  link: sha256HexSchema.optional(),
});

export type RunHeader = z.infer<typeof runHeaderSchema>;

/** The part of a header's `state` that belongs to an own-loop run. */
export const ownLoopStateSchema = z.strictObject({
  context: contextSettingsSchema,
  lastMessageSequence: z.int().min(-1),
  /** Messages appended, instructions included. */
  messageCount: z.int().min(0),
  /** Open tool calls: id → sequence of the assistant message that opened it (the latest, where an id returned). */
  openCalls: z.record(z.string(), sequenceSchema),
  /** Absent where there are none. */
  pins: pinsStateSchema.optional(),
  /** Tokens of all transcript messages, and of all instructions, in the run's counter. */
  transcriptTokens: z.int().min(0),
  instructionTokens: z.int().min(0),
  tags: z.array(z.string()).optional(),
  metadata: trustedJsonObjectSchema.optional(),
  configurable: trustedJsonObjectSchema.optional(),
  replayFlags: replayFlagsSchema.optional(),
  /** On a fork: sequence up to which its source's events are re-emitted; it is not complete below. */
  replayTarget: sequenceSchema.optional(),
});

export type OwnLoopState = z.infer<typeof ownLoopStateSchema>;
