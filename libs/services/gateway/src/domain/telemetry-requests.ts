import { z } from 'zod';
import { recordEvent } from '@palimpsest/context-efficiency';
import { isStorableJson, type JsonValue } from '@palimpsest/contracts';
import { environmentSchema, recordTelemetrySchema, TELEMETRY_BATCH } from '@palimpsest/contracts/registry';
import { besides, decidedBy, refusePrivateContent } from './context-errors.js';
import { parseRequest } from './parse-request.js';
import { rowLimit } from './query-numbers.js';
import type { SentObject } from './sent-json.js';

const eventIdSchema = recordTelemetrySchema.shape.events.element.shape.id;

const sentEventSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorableJson(value as JsonValue), 'must be well-formed Unicode without NUL');

/** Events as their senders have them; the contract says what of each may be recorded (§7). */
export const recordTelemetryRequestSchema = z.strictObject({
  environment: environmentSchema.optional(),
  events: z
    .array(z.strictObject({ id: eventIdSchema, event: sentEventSchema }))
    .min(1)
    .max(TELEMETRY_BATCH),
});

/** What is recorded under an id. */
export type IdentifiedEvent = { id: string; event: SentObject };

export type TelemetryBatch = {
  readonly environment?: string | undefined;
  readonly events: IdentifiedEvent[];
};

/**
 * Each event as it may be recorded (contract §7.2). Nothing of a batch with a refused event goes anywhere.
 * @throws PrivateContentError, ValidationError; ContextRefusedError of the first event that is refused, by its index
 */
export function parseRecordTelemetry(body: unknown): TelemetryBatch {
  refusePrivateContent(besideEvents(body));
  const { events, environment } = parseRequest(recordTelemetryRequestSchema, body);
  return {
    environment,
    events: events.map(({ id, event }, index) => ({ id, event: canonical(event, index) })),
  };
}

/** What an event may hold is the contract's to say, by marks of its own. */
function besideEvents(body: unknown): unknown {
  const { events } = (body ?? {}) as { readonly events?: unknown };
  if (!Array.isArray(events)) return body;
  return { ...(body as object), events: events.map((item: unknown) => besides(item, 'event')) };
}

function canonical(event: unknown, index: number): SentObject {
  return decidedBy(() => recordEvent({ event }), index) as unknown as SentObject;
}

const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 500;

export const listTelemetryQuerySchema = z.object({
  environment: environmentSchema.optional(),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .optional(),
  limit: rowLimit(MAX_EVENTS).optional(),
});

export type TelemetryPage = {
  readonly environment?: string | undefined;
  readonly after: number;
  readonly limit: number;
};

/** @throws PrivateContentError, ValidationError */
export function parseListTelemetry(query: unknown): TelemetryPage {
  const { environment, after, limit } = parseRequest(listTelemetryQuerySchema, query, 'query');
  refusePrivateContent(environment);
  return { environment, after: after ?? 0, limit: limit ?? DEFAULT_EVENTS };
}
