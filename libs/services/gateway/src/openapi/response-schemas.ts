import { z } from 'zod';
import {
  appendedMessagesSchema,
  artifactIdSchema,
  contextSettingsSchema,
  fateRangeSchema,
  forkedRunSchema,
  runIdSchema,
  runStatusSchema,
  sequenceSchema,
  tokenCounterSchema,
} from '@palimpsest/contracts';

const links = { eventsUrl: z.string(), statusUrl: z.string() };

export const createdRunSchema = z.object({
  runId: runIdSchema,
  status: runStatusSchema,
  ...links,
  context: contextSettingsSchema,
});

export const runSnapshotSchema = z.looseObject({
  runId: runIdSchema,
  workflowId: z.string(),
  status: runStatusSchema,
  owner: z.object({ tenant: z.string() }),
  startedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().optional(),
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

export const runListSchema = z.object({
  runs: z.array(runSnapshotSchema),
  nextCursor: z.string().optional(),
});

export const appendedTurnsSchema = appendedMessagesSchema;

export const forkAnswerSchema = forkedRunSchema.extend(links);

export const artifactSchema = z.object({
  artifactId: artifactIdSchema,
  runId: runIdSchema,
  artifactType: z.string(),
  createdAt: z.iso.datetime(),
  content: z.unknown(),
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
      kind: z.enum(['turn', 'summary']),
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
