import { digestOf } from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';

/** 32 of the 64 digits: 128 bits. */
const DIGITS = 32;

/**
 * The task's corpus id (contract §2): the caller's, or else one by a hash without a key, the same for all that is delegated
 * of the task in its workgroup. A canary decides by it, so that a task falls to one side of it however often it is handed on.
 */
export function taskCorpusOf({
  tenantId,
  workgroupId,
  taskId,
  taskCorpusId,
}: Pick<Delegate, 'tenantId' | 'workgroupId' | 'taskId' | 'taskCorpusId'>): string {
  const digest = digestOf(`${tenantId}/${workgroupId}/${taskId}`).slice('sha256:'.length);
  return taskCorpusId ?? `anon-${digest.slice(0, DIGITS)}`;
}
