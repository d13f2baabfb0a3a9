import { decideResult } from '@palimpsest/context-efficiency';
import type { RecordResult, ResultAnswer } from '@palimpsest/contracts/registry';
import { decided } from './deciding.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireHolder } from './find-lineage.js';

/** Evidence by the contract's result policy (§9). It moves no phase and approves nothing, whatever the policy says. */
export const decideRecordResult = inOpenWorkgroup<RecordResult, ResultAnswer>((workgroup, command, now) => {
  const { lineageId, fence, taskId, policy, artifactIds = [] } = command;
  requireHolder(workgroup, lineageId, fence);
  const { mode, write_prohibited: writeProhibited, writes } = decideResult(policy);
  // Where nothing may be written, nothing that lies somewhere is told of.
  const payload = { fence, taskId, mode, artifactIds: writeProhibited ? [] : artifactIds };
  return decided(
    { workgroup, now },
    [{ type: 'palimpsest.lineage.result_recorded', lineageId, payload }],
    ({ sequence }) => ({ sequence, mode, writeProhibited, writes: { ...writes } }),
  );
});
