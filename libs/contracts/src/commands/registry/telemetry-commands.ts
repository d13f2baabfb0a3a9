import { z } from 'zod';
import { tenantIdSchema } from '../../ids.js';
import { environmentSchema, factsSchema, registryTimeSchema } from './registry-ids.js';

/** Most events of one batch. */
export const TELEMETRY_BATCH = 200;

/**
 * Canonical events (contract §7.2), each under an id of its sender's: the same id is recorded once. Ids with a colon
 * are the registry's own: `delegation:…`, `selection:…` of decisions, with `:recommended` behind it of what was recommended with them, `run:…` of
 * the host's own runs.
 */
export const recordTelemetrySchema = z.strictObject({
  tenantId: tenantIdSchema,
  environment: environmentSchema,
  events: z
    .array(z.strictObject({ id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/), event: factsSchema }))
    .min(1)
    .max(TELEMETRY_BATCH),
});

/** Of the batch, by ids. */
export const recordedTelemetrySchema = z.strictObject({
  recorded: z.array(z.string()),
  /** Recorded before. */
  duplicates: z.array(z.string()),
});

/** Newest last. */
export const listTelemetrySchema = z.strictObject({
  tenantId: tenantIdSchema,
  environment: environmentSchema,
  after: z.int().min(0),
  limit: z.int().min(1).max(500),
});

export const telemetryListSchema = z.strictObject({
  events: z.array(
    z.strictObject({
      position: z.int().min(1),
      id: z.string(),
      recordedAt: registryTimeSchema,
      event: factsSchema,
    }),
  ),
  next: z.int().min(1).optional(),
});

export type RecordTelemetry = z.infer<typeof recordTelemetrySchema>;
export type RecordedTelemetry = z.infer<typeof recordedTelemetrySchema>;
export type ListTelemetry = z.infer<typeof listTelemetrySchema>;
export type TelemetryList = z.infer<typeof telemetryListSchema>;
