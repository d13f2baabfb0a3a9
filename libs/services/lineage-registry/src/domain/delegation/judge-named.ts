import type { LineageVerdict } from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import { isContaminatedFor } from '../workgroup/context-behind.js';
import { barsToResume } from '../workgroup/isolation.js';
import { behindOthers, isContaminatedReview } from '../workgroup/judge-lineage.js';
import { currentFacts } from './dispatch-request.js';
import type { Standing } from './standing.js';

/**
 * Nobody works as it, nothing isolates it (contract §4.4, row 9), and it knows nothing that is not for this role or for an
 * independent reviewer, by whatever chain (row 11).
 */
export function isFree(command: Delegate, standing: Standing): boolean {
  const { lineage } = standing;
  if (!lineage || lineage.status === 'held' || isContaminatedFor(lineage, command.role)) return false;
  if (isContaminatedReview(lineage, currentFacts(command, standing))) return false;
  return barsToResume(lineage).length === 0;
}

/** The contract's verdict (§5.3) as a resume would have it. */
export function verdictOnNamed(
  verdict: LineageVerdict | null,
  command: Delegate,
  standing: Standing,
): LineageVerdict | null {
  const { lineage } = standing;
  return verdict && lineage ? behindOthers(verdict, lineage, currentFacts(command, standing)) : verdict;
}

/** As a resume would have it: hot, and free to go on. */
export function isResumable(verdict: LineageVerdict | null, command: Delegate, standing: Standing): boolean {
  return verdict?.state === 'HOT' && isFree(command, standing);
}
