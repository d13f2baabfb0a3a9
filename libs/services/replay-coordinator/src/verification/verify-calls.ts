import type { RunHeader, Verification } from '@palimpsest/contracts';
import { workflowStateOf } from '@palimpsest/workflow';
import type { VerifyPorts } from './compare-with-source.js';

export type VerifiedCalls = Required<Pick<Verification, 'modelCalls'>> &
  Pick<Verification, 'firstDifference'>;

/** Whether models were asked what the record gives; undefined of a run whose loop is the caller's, and where nobody says. */
export async function verifyCalls(
  { calls }: Pick<VerifyPorts, 'calls'>,
  { tenantId, runId, state }: Pick<RunHeader, 'tenantId' | 'runId' | 'state'>,
): Promise<VerifiedCalls | undefined> {
  if (!calls || !workflowStateOf(state)) return undefined;
  const { checked, unkept, firstDifference } = await calls.verifyCalls({ tenantId, runId });
  const modelCalls = { checked, unkept };
  if (!firstDifference) return { modelCalls };
  const { sequence, iteration } = firstDifference;
  const what = 'a model was asked something else than the record gives';
  return {
    modelCalls,
    firstDifference: { sequence, ...(iteration !== undefined && { iteration }), what },
  };
}
