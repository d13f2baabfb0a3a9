import { z } from 'zod';
import {
  chatMessageSchema,
  contextRequestSchema,
  isStorableJson,
  isStorableText,
  runStatusSchema,
  sequenceSchema,
  storableJsonObjectSchema,
  storableTextSchema,
} from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { parseRequest } from './parse-request.js';
import { rowLimit } from './query-numbers.js';

const METADATA_BYTES = 50 * 1024;

const byteLength = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

export const metadataSchema = storableJsonObjectSchema.refine(
  (value) => byteLength(value) <= METADATA_BYTES,
  `must not exceed ${METADATA_BYTES} bytes`,
);

/** What is beside `context` is kept on the run as it is. */
export const configurableSchema = z
  .looseObject({ context: contextRequestSchema.optional() })
  .refine(
    (value) => storableJsonObjectSchema.safeParse(value).success,
    'must be well-formed Unicode without NUL',
  )
  .refine((value) => byteLength(value) <= METADATA_BYTES, `must not exceed ${METADATA_BYTES} bytes`);

/** Longest tag, in UTF-16 units. */
export const MAX_TAG = 256;

const tagsSchema = z.array(storableTextSchema.min(1).max(MAX_TAG)).max(100);

/** Host specification §3.1. Keys it does not know are passed over. */
export const createRunRequestSchema = z.object({
  workflowId: storableTextSchema.min(1).max(128),
  /** Too large ones are refused with the event they stand in. */
  inputs: storableJsonObjectSchema.optional(),
  tenantId: storableTextSchema.optional(),
  scopeId: storableTextSchema.max(256).optional(),
  callbackUrl: storableTextSchema.max(2048).optional(),
  configurable: configurableSchema.optional(),
  tags: tagsSchema.optional(),
  metadata: metadataSchema.optional(),
});

export type CreateRunRequest = z.infer<typeof createRunRequestSchema>;

const expectedSequence = z.int().min(-1).optional();

const appendTurnsShape = z.strictObject({
  messages: z.array(z.unknown()).min(1).max(1000),
  expectedSequence,
});

export const appendTurnsRequestSchema = z.strictObject({
  messages: z.array(chatMessageSchema).min(1).max(1000),
  expectedSequence,
});

export type AppendTurnsRequest = z.infer<typeof appendTurnsRequestSchema>;

/** Message by message, so that the first that is wrong ends it: a large body full of mistakes costs no more than one. */
export function parseAppendTurns(body: unknown): AppendTurnsRequest {
  const { messages, ...rest } = parseRequest(appendTurnsShape, body);
  return {
    ...rest,
    messages: messages.map((message, index) => parseRequest(chatMessageSchema, message, `messages.${index}`)),
  };
}

export const planWindowRequestSchema = z.strictObject({ expectedSequence });

export const finishRunRequestSchema = z.strictObject({});

/** Longest reason of a cancellation, in UTF-16 units. */
export const MAX_REASON = 1024;

const reason = storableTextSchema.min(1).max(MAX_REASON).optional();

export const cancelRunRequestSchema = z.strictObject({ reason });

export type CancelRunRequest = z.infer<typeof cancelRunRequestSchema>;

export const MAX_BULK_RUNS = 100;

/** An id that none can have is answered like one that is not there. */
export const bulkCancelRequestSchema = z.strictObject({
  runIds: z.array(storableTextSchema.max(256)).min(1).max(MAX_BULK_RUNS),
  reason,
});

export type BulkCancelRequest = z.infer<typeof bulkCancelRequestSchema>;

/** Whatever is wrong with it, the answer tells how many it takes (host specification §3.4). */
export function parseBulkCancel(body: unknown): BulkCancelRequest {
  try {
    return parseRequest(bulkCancelRequestSchema, body);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(error.message, { ...error.details, maxRunIds: MAX_BULK_RUNS });
  }
}

/** Host specification §3.5. Keys it does not know are passed over. */
export const resolveInterruptRequestSchema = z.object({
  resumeValue: z.json().refine(isStorableJson, 'must be well-formed Unicode without NUL'),
});

/** True: no second run of the same workflow and scope beside one that has not ended. */
export function isDeduplicated(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  if (header === 'enforce') return true;
  throw new ValidationError('X-Dedup: only "enforce" is known.', { field: 'X-Dedup' });
}

/** A text of the caller's, or what an event of the run says. */
export const addPinRequestSchema = z
  .strictObject({
    text: z.string().min(1).optional(),
    eventId: storableTextSchema.min(1).max(256).optional(),
  })
  .refine(({ text, eventId }) => (text === undefined) !== (eventId === undefined), {
    message: 'holds either a text or an eventId',
  });

export type AddPinRequest = z.infer<typeof addPinRequestSchema>;

/** The path says it all. */
export const emptyRequestSchema = z.strictObject({});

export const FORK_MODES = ['replay', 'branch'] as const;

/** Laid over the settings of the source, of which a key that is not known would be a mistake. */
const runOptionsOverlaySchema = z.strictObject({
  configurable: configurableSchema.optional(),
  tags: tagsSchema.optional(),
  metadata: metadataSchema.optional(),
});

export type RunOptionsOverlay = z.infer<typeof runOptionsOverlaySchema>;

/** Host specification §6.1. */
export const forkRunRequestSchema = z
  .strictObject({
    mode: z.enum(FORK_MODES),
    fromSeq: sequenceSchema.optional(),
    runOptionsOverlay: runOptionsOverlaySchema.optional(),
  })
  .refine(({ mode, fromSeq }) => mode === 'replay' || fromSeq !== undefined, {
    path: ['fromSeq'],
    message: 'is required for a branch',
  })
  .refine(
    ({ mode, runOptionsOverlay = {} }) => mode === 'branch' || Object.keys(runOptionsOverlay).length === 0,
    {
      path: ['runOptionsOverlay'],
      message: 'is for a branch only: a replay repeats what was recorded',
    },
  );

export type ForkRunRequest = z.infer<typeof forkRunRequestSchema>;

const MAX_RUNS = 100;

export const listRunsQuerySchema = z.object({
  limit: rowLimit(MAX_RUNS).optional(),
  cursor: storableTextSchema.min(1).max(512).optional(),
  status: runStatusSchema.optional(),
  workflowId: storableTextSchema.min(1).max(128).optional(),
});

export const WINDOW_FORMATS = ['openai', 'anthropic'] as const;

export type WindowFormat = (typeof WINDOW_FORMATS)[number];

export const windowQuerySchema = z.object({ format: z.enum(WINDOW_FORMATS).default('openai') });

/** 1, 2, 3, … */
export const iterationSchema = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number from 1')
  .transform(Number);

const MAX_USAGE_ROWS = 500;

/** A page of iterations: `nextIteration` of one is `fromIteration` of the next. */
export const usagePageQuerySchema = z.object({
  fromIteration: iterationSchema.optional(),
  limit: rowLimit(MAX_USAGE_ROWS).optional(),
});

/** Rows as of usage; `with` names the other run. */
export const diffQuerySchema = usagePageQuerySchema.extend({ with: z.string() });

/** A path segment that names something: what no id can be is unknown, what no id may hold is refused. */
export const pathIdSchema = z.string().refine(isStorableText, 'must be well-formed Unicode without NUL');
