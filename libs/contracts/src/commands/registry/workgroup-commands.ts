import { z } from 'zod';
import { sequenceSchema } from '../../ids.js';
import {
  fenceSchema,
  leaseMsSchema,
  registryCommandId,
  registryTimeSchema,
  workgroupIdSchema,
  workgroupKey,
} from './registry-ids.js';
import { workgroupPhaseSchema } from './registry-words.js';

/**
 * Takes the coordinator's seat, opening the workgroup where there is none. With the fence that holds it, keeps it for
 * longer. `seat_taken` where somebody else's lease still runs and `takeOver` is not set.
 */
export const coordinateSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  fence: fenceSchema.optional(),
  leaseMs: leaseMsSchema.optional(),
  /** Of a workgroup that is opened by this; default `1A`. */
  phase: workgroupPhaseSchema.optional(),
  takeOver: z.boolean().optional(),
});

/** `stale_fence` from whoever does not hold the seat. */
export const advancePhaseSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  fence: fenceSchema,
  phase: workgroupPhaseSchema,
});

/** With `finalGate` every lineage of the workgroup is evicted, `FINAL_GATE`. */
export const approveSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  fence: fenceSchema,
  /** What is approved, as an id or a name. */
  subject: z.string().min(1).max(128),
  finalGate: z.boolean().optional(),
});

const seatSchema = z.strictObject({ fence: fenceSchema, expiresAt: registryTimeSchema });

export const workgroupViewSchema = z.strictObject({
  workgroupId: workgroupIdSchema,
  /** Of the last event. */
  sequence: sequenceSchema,
  phase: workgroupPhaseSchema,
  /** Absent where nobody holds it now. */
  coordinator: seatSchema.optional(),
  /** The newest 100. */
  approvals: z.array(
    z.strictObject({
      subject: z.string(),
      phase: workgroupPhaseSchema,
      finalGate: z.boolean(),
      approvedAt: registryTimeSchema,
    }),
  ),
  lineages: z.strictObject({ held: z.int().min(0), idle: z.int().min(0) }),
});

/** A recorded act. Payloads hold ids, hashes, names and numbers. */
export const workgroupEventSchema = z.strictObject({
  sequence: sequenceSchema,
  type: z.string(),
  recordedAt: registryTimeSchema,
  /** The lineage it concerns, where it concerns one. */
  lineageId: z.string().optional(),
  payload: z.record(z.string(), z.json()),
});

export const workgroupEventsSchema = z.strictObject({
  events: z.array(workgroupEventSchema),
  /** To go on after; absent at the end. */
  next: sequenceSchema.optional(),
});

export type Coordinate = z.infer<typeof coordinateSchema>;
export type AdvancePhase = z.infer<typeof advancePhaseSchema>;
export type Approve = z.infer<typeof approveSchema>;
export type WorkgroupView = z.infer<typeof workgroupViewSchema>;
export type WorkgroupEventView = z.infer<typeof workgroupEventSchema>;
export type WorkgroupEvents = z.infer<typeof workgroupEventsSchema>;
