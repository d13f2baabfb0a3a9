import type { DelegationView } from '@palimpsest/contracts/registry';
import type { RecordedWorkgroupEvent, WorkgroupEvent } from '../workgroup/workgroup-events.js';

export type DelegationRecorded = Extract<WorkgroupEvent, { readonly type: 'palimpsest.delegation.recorded' }>;
type Place = Pick<RecordedWorkgroupEvent, 'sequence' | 'recordedAt'>;

export function delegationView(
  workgroupId: string,
  { payload }: DelegationRecorded,
  { sequence, recordedAt }: Place,
): DelegationView {
  return { ...payload, workgroupId, sequence, recordedAt };
}
