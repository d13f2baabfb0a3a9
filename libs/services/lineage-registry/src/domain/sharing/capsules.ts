import { digestOf } from '@palimpsest/context-efficiency';
import type { CapsuleView, RecordCapsule } from '@palimpsest/contracts/registry';
import { timeOf } from '../workgroup/deciding.js';
import { inOpenWorkgroup } from '../workgroup/expire-leases.js';

/** A sealed capsule whose content is durable. That it is recorded once is seen to by {@link capsuleCommandId}. */
export const decideRecordCapsule = inOpenWorkgroup<RecordCapsule, CapsuleView>((_, command, now) => {
  const { capsuleHash, artifactId, taskId, phase, bytes } = command;
  const payload = { capsuleHash, artifactId, taskId, phase, bytes };
  return {
    events: [{ type: 'palimpsest.capsule.recorded', payload }],
    answer: { ...payload, recordedAt: timeOf(now) },
  };
});

/**
 * Of two that record one capsule at once the second gets the first one's answer, as it comes under the same id. A capsule
 * is its content, so this is right whatever ids its recorders have.
 */
export function capsuleCommandId({
  workgroupId,
  capsuleHash,
}: Pick<RecordCapsule, 'workgroupId' | 'capsuleHash'>): string {
  return `capsule:${digestOf(`${workgroupId}/${capsuleHash}`)}`;
}
