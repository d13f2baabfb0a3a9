import { z } from 'zod';
import { artifactIdSchema, runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { forkOriginSchema } from '../events/own-loop-events.js';
import { contextSettingsSchema } from '../context-settings.js';
import { runStatusSchema } from '../run-status.js';
import { tokenCountsSchema } from '../token-counts.js';

/** Bus subjects that the run log answers. */
export const RUN_LOG_SUBJECTS = {
  createRun: 'palimpsest.run-log.create-run',
  appendMessages: 'palimpsest.run-log.append-messages',
  finishRun: 'palimpsest.run-log.finish-run',
  append: 'palimpsest.run-log.append',
  fork: 'palimpsest.run-log.fork',
  header: 'palimpsest.run-log.header',
  list: 'palimpsest.run-log.list',
  read: 'palimpsest.run-log.read',
} as const;

const runKey = { tenantId: tenantIdSchema, runId: runIdSchema };
const jsonObject = z.record(z.string(), z.json());

/** A caller's retry carries the same id and gets what was recorded. */
const commandId = z.string().min(1).max(128).optional();

export const createRunSchema = z.strictObject({
  ...runKey,
  workflowId: z.string().min(1).max(128),
  context: contextSettingsSchema,
  inputs: jsonObject.optional(),
  tags: z.array(z.string()).optional(),
  metadata: jsonObject.optional(),
  configurable: jsonObject.optional(),
  commandId,
});

/** One message whose content is already durable: what the log needs to know of it. */
export const messageDraftSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  artifactId: artifactIdSchema,
  toolCallIds: z.array(z.string()),
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
  /** Sequence of the last event. */
  head: sequenceSchema,
  createdAt: z.string(),
  updatedAt: z.string(),
  state: jsonObject,
  origin: forkOriginSchema.optional(),
});

export type RunHeader = z.infer<typeof runHeaderSchema>;

/** The part of a header's `state` that belongs to an own-loop run. */
export const ownLoopStateSchema = z.strictObject({
  context: contextSettingsSchema,
  lastMessageSequence: z.int().min(-1),
  messageCount: z.int().min(0),
  /** Open tool calls: id → sequence of the assistant message that opened it (the latest, where an id returned). */
  openCalls: z.record(z.string(), sequenceSchema),
  /** Tokens of all transcript messages, and of all instructions, in the run's counter. */
  transcriptTokens: z.int().min(0),
  instructionTokens: z.int().min(0),
  tags: z.array(z.string()).optional(),
  metadata: jsonObject.optional(),
  configurable: jsonObject.optional(),
});

export type OwnLoopState = z.infer<typeof ownLoopStateSchema>;
