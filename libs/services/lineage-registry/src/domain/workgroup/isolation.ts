import type { LineageRecord, Reason } from '@palimpsest/context-efficiency';
import type { Lineage } from './workgroup.js';

/** Work of which nobody else may see the context (contract §4.4, row 9). */
export function isSensitive({ sensitivity }: LineageRecord): boolean {
  return sensitivity === 'restricted' || sensitivity === 'isolated';
}

/** Why nobody goes on as a lineage, however hot: what it knows is to stay apart, or it is to begin anew each time. */
export function barsToResume({ record, independentReviewer }: Lineage): readonly Reason[] {
  return [...barsToInherit(record), ...(independentReviewer ? (['REVIEW_INDEPENDENCE'] as const) : [])];
}

/** Why nobody begins with what a lineage knows, however hot it is. */
export function barsToInherit(record: LineageRecord): readonly Reason[] {
  return isSensitive(record) ? ['SENSITIVITY_ISOLATION'] : [];
}
