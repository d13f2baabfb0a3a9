import { z } from 'zod';
import { tenantIdSchema } from '../../ids.js';
import { commandIdSchema } from '../run-log-commands.js';

/** Safe in a path and in a bus subject. The contract allows any text of 1-128; ids of the registry are these. */
const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'letters, digits, ".", "_" and "-", at most 128');

export const workgroupIdSchema = nameSchema;
export const lineageIdSchema = nameSchema;
/** Where a rollout applies: `production`, `staging`, … */
export const environmentSchema = nameSchema;
/** What is being rolled out: one kind of intervention, `lineage-reuse`, `capsules`, … */
export const interventionFamilySchema = nameSchema;

/** Grows with every grant in a workgroup, so that of two holders of anything in it the later has the greater. */
export const fenceSchema = z.int().min(1);
/** How long a lease holds from now, in milliseconds of the database's clock. */
export const leaseMsSchema = z.int().min(1000).max(86_400_000);
/** ISO 8601 with milliseconds, by the database's clock. */
export const registryTimeSchema = z.iso.datetime({ precision: 3 });
/** Facts of the contract, judged by the contract's own rules. */
export const factsSchema = z.record(z.string(), z.json());
/** SHA-256, as the contract writes it. */
export const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);
/** An anonymous id of a task (contract §2): telemetry is put together by it, and a canary decides by it (§8). */
export const taskCorpusIdSchema = z
  .string()
  .regex(
    /^(?:anon-[0-9a-f]{16,64}|(?:small-tier2|backend-refactor|ui-integration|security-compliance|recovery-invalidation)-[0-9]{2})$/,
    '"anon-" and 16 to 64 lower-case hexadecimal digits, or a stratum and two digits, as in "backend-refactor-12"',
  );

export const workgroupKey = { tenantId: tenantIdSchema, workgroupId: workgroupIdSchema };
export const lineageKey = { tenantId: tenantIdSchema, lineageId: lineageIdSchema };
/** A command that comes again with the same id gets the answer that it got. */
export const registryCommandId = { commandId: commandIdSchema.optional() };

export const workgroupQuerySchema = z.strictObject(workgroupKey);
export const lineageQuerySchema = z.strictObject(lineageKey);
/** Of a stream's events: the database counts them in 32 bits. */
export const MOST_SEQUENCE = 2_147_483_647;
/** A page of what happened, oldest first: at most `limit`, and at most 512 KiB. */
export const workgroupPageSchema = z.strictObject({
  ...workgroupKey,
  /** Sequence after which to begin; −1 for the start. */
  after: z.int().min(-1).max(MOST_SEQUENCE),
  limit: z.int().min(1).max(500),
});

export type WorkgroupQuery = z.infer<typeof workgroupQuerySchema>;
export type LineageQuery = z.infer<typeof lineageQuerySchema>;
export type WorkgroupPage = z.infer<typeof workgroupPageSchema>;
