import { z } from 'zod';
import { eventLinkSchema } from '../event-link.js';
import { runIdSchema, sequenceSchema, tenantIdSchema } from '../ids.js';
import { forkOriginSchema } from '../events/own-loop-events.js';
import { runStatusSchema } from '../run-status.js';
import { storableTextSchema, trustedJsonObjectSchema } from '../storable-json.js';
import { tokenCountsSchema } from '../token-counts.js';
import { commandIdSchema, runHeaderSchema } from './run-log-commands.js';

/** The kernel's `EventLog`, as it is asked for over the bus. Times are ISO 8601. */
const runKey = { tenantId: tenantIdSchema, runId: runIdSchema };
const instant = z.iso.datetime();
const eventType = storableTextSchema.min(1).max(128);
const eventId = storableTextSchema.min(1).max(128);

/** Most events of one append or one page, and most bytes of payload of a page: an answer stays below 1 MiB. */
export const LOG_PAGE_EVENTS = 500;
export const LOG_PAGE_BYTES = 512 * 1024;
/** Most bytes of one payload, as JSON. */
export const PAYLOAD_BYTES = 64 * 1024;
/** Most events that the log re-emits at a time: a statement that runs long holds all readers of the log back. */
export const RE_EMIT_EVENTS = 2000;
/** Most events and references in them that one question for what a context refers to looks at. */
export const CONTEXT_REFERENCES = 10_000;

export const newRunEventSchema = z.strictObject({
  type: eventType,
  payload: trustedJsonObjectSchema,
  schemaVersion: z.int().min(1),
  nodeId: eventId.optional(),
  causationId: eventId.optional(),
  counts: tokenCountsSchema.optional(),
});

const headerChangeSchema = z.strictObject({
  status: runStatusSchema.optional(),
  state: trustedJsonObjectSchema.optional(),
});

export const appendEventsSchema = z.strictObject({
  ...runKey,
  expectedHead: z.union([z.int().min(-1), z.literal('no-run')]),
  events: z.array(newRunEventSchema).min(1).max(LOG_PAGE_EVENTS),
  at: instant,
  header: headerChangeSchema.optional(),
  workflowId: storableTextSchema.min(1).max(128).optional(),
  commandId: commandIdSchema.optional(),
});

export const appendedEventsSchema = z.strictObject({
  firstSequence: sequenceSchema,
  lastSequence: sequenceSchema,
  repeated: z.boolean(),
});

export const readEventsSchema = z.strictObject({
  ...runKey,
  fromSequence: sequenceSchema,
  limit: z.int().min(1).max(LOG_PAGE_EVENTS).optional(),
  types: z.array(eventType).max(64).optional(),
  backwards: z.boolean().optional(),
  withChain: z.boolean().optional(),
});

export const recordedEventSchema = z.strictObject({
  eventId: z.string(),
  runId: runIdSchema,
  type: z.string(),
  payload: trustedJsonObjectSchema,
  timestamp: z.string(),
  sequence: sequenceSchema,
  schemaVersion: z.int(),
  nodeId: z.string().optional(),
  causationId: z.string().optional(),
  counts: tokenCountsSchema.optional(),
  chain: eventLinkSchema.optional(),
});

export const eventPageSchema = z.strictObject({
  events: z.array(recordedEventSchema),
  next: sequenceSchema.optional(),
});

export const readHeaderSchema = z.strictObject(runKey);

export const headerAnswerSchema = z.strictObject({ header: runHeaderSchema.nullable() });

export const listRunsSchema = z.strictObject({
  tenantId: tenantIdSchema,
  limit: z.int().min(1).max(500),
  cursor: storableTextSchema.min(1).max(512).optional(),
  status: runStatusSchema.optional(),
  workflowId: storableTextSchema.min(1).max(128).optional(),
});

export const runListSchema = z.strictObject({
  runs: z.array(runHeaderSchema),
  nextCursor: z.string().optional(),
});

export const forkLogSchema = z.strictObject({
  ...runKey,
  origin: forkOriginSchema,
  at: instant,
  status: runStatusSchema,
  state: trustedJsonObjectSchema,
});

export const reEmitEventsSchema = z.strictObject({
  ...runKey,
  fromRunId: runIdSchema,
  fromSequence: sequenceSchema,
  toSequence: sequenceSchema,
  at: instant,
  header: headerChangeSchema.optional(),
});

export const reEmittedSchema = z.strictObject({ reEmitted: z.boolean() });

export const readContextReferencesSchema = z.strictObject({
  ...runKey,
  fromSequence: sequenceSchema,
  toSequence: sequenceSchema,
});

export const contextReferencesSchema = z.strictObject({
  summaries: z.array(z.string()),
  renderings: z.array(z.string()),
  earlierSummaries: z.array(sequenceSchema),
  next: sequenceSchema.optional(),
});

export type AppendEvents = z.infer<typeof appendEventsSchema>;
export type ReEmitEvents = z.infer<typeof reEmitEventsSchema>;
export type ReadEvents = z.infer<typeof readEventsSchema>;
export type ListRuns = z.infer<typeof listRunsSchema>;
export type ForkLog = z.infer<typeof forkLogSchema>;
