import { z } from 'zod';
import { artifactIdSchema } from '@palimpsest/contracts';
import { factsSchema } from '@palimpsest/contracts/registry';

const vaultCall = z.strictObject({
  /** The lineage that wrote. */
  writer: z.string(),
  artifactIds: z.array(artifactIdSchema),
  /** In the order of the ids; null for one that was erased since. */
  deltas: z.array(factsSchema.nullable()),
});

export const vaultCallsSchema = z.strictObject({
  /** One for each writer. */
  calls: z.array(vaultCall),
  /** What still waits, over all writers. */
  waiting: z.int().min(0),
});

export const knowledgeVerdictSchema = z.strictObject({
  action: z.enum(['skip', 'amend', 'update', 'flush', 'batch']),
  reason: z.string(),
  /** What to amend or update. */
  KnowledgeId: z.string().optional(),
  /** Of the contract (§10.1), for previousHashes of later requests. */
  deltaHash: z.string(),
  calls: z.array(vaultCall),
  /** Absent where the delta was skipped: nothing was asked of the queue. */
  waiting: z.int().min(0).optional(),
  /** True where the workgroup had accepted the same before. */
  duplicate: z.boolean().optional(),
});
