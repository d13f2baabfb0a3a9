import { createHash } from 'node:crypto';
import {
  EXTERNAL_WORKFLOW,
  runQuerySchema,
  type JsonValue,
  type RunHeader,
  type Verification,
} from '@palimpsest/contracts';
import { isPalimpsestError, NotFoundError, parseRequest } from '@palimpsest/kernel';
import { workflowStateOf } from '@palimpsest/workflow';
import { checkLog, type CheckedLog } from '../verification/check-log.js';
import { compareWithSource, type Comparison, type VerifyPorts } from '../verification/compare-with-source.js';
import { firstOf } from '../verification/first-of.js';
import { verifyCalls } from '../verification/verify-calls.js';

/**
 * Checks a run's log, derives its windows and the requests of its model calls again, and compares a fork with its source.
 * Of all differences the one of the lowest sequence is told.
 */
export async function verifyRun(ports: VerifyPorts, body: JsonValue): Promise<JsonValue> {
  const query = parseRequest(runQuerySchema, body);
  const header = await ports.eventLog.header(query.tenantId, query.runId);
  if (!header) throw new NotFoundError('The run', { runId: query.runId });
  const checked = await checkLog(ports, header);
  const own = await unlessAltered(checked, NO_WINDOWS, () => windowsAgain(ports, header));
  const comparison = await unlessAltered(checked, {}, () => compared(ports, header, own));
  const calls = await unlessAltered(checked, undefined, () => verifyCalls(ports, header));
  const firstDifference = firstOf([
    checked.firstDifference,
    own.firstDifference,
    comparison.firstDifference,
    calls?.firstDifference,
    // The row is of the whole log: what differs at its last event itself comes first.
    checked.rowDifference,
  ]);
  const { firstDifference: _own, ...windows } = own;
  return {
    ...windows,
    ok: own.ok && firstDifference === undefined,
    log: checked.log,
    ...(calls && { modelCalls: calls.modelCalls }),
    ...(firstDifference && { firstDifference }),
    ...(comparison.comparedWith && { comparedWith: comparison.comparedWith }),
  } as unknown as JsonValue;
}

/** What a run without windows has of them. */
const NO_WINDOWS: Verification = {
  ok: true,
  windowsChecked: 0,
  artifactsChecked: 0,
  summarizerCalls: 0,
  windowsDigest: createHash('sha256').digest('hex'),
};

async function windowsAgain(ports: VerifyPorts, header: RunHeader): Promise<Verification> {
  const { tenantId, runId, workflowId, state } = header;
  const hasWindows = workflowId === EXTERNAL_WORKFLOW || workflowStateOf(state)?.context !== undefined;
  return hasWindows ? ports.assembler.verify({ tenantId, runId }) : NO_WINDOWS;
}

async function compared(
  ports: VerifyPorts,
  header: RunHeader,
  own: Verification,
): Promise<Partial<Comparison>> {
  return header.origin ? compareWithSource(ports, { ...header, origin: header.origin }, own) : {};
}

/** An altered log, or row, can be one that nothing is derived from: that is no failure then, as the difference is known. */
async function unlessAltered<Found>(
  { firstDifference, rowDifference }: CheckedLog,
  otherwise: Found,
  find: () => Promise<Found>,
): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    const passes = isPalimpsestError(error) && error.retryable;
    if (passes || !(firstDifference ?? rowDifference)) throw error;
    return otherwise;
  }
}
