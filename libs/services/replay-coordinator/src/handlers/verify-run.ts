import { runQuerySchema, type JsonValue, type Verification } from '@palimpsest/contracts';
import { NotFoundError, parseRequest } from '@palimpsest/kernel';
import type { ReplayPorts } from '../replay-ports.js';
import { compareWithSource } from '../verification/compare-with-source.js';

/**
 * Derives a run's windows again; a fork is also compared with its source. The first difference of the fork's
 * own windows wins over one between the two runs.
 */
export async function verifyRun(ports: ReplayPorts, body: JsonValue): Promise<JsonValue> {
  const query = parseRequest(runQuerySchema, body);
  const header = await ports.eventLog.header(query.tenantId, query.runId);
  if (!header) throw new NotFoundError('The run', { runId: query.runId });
  const own = await ports.assembler.verify(query);
  if (!header.origin) return own as unknown as JsonValue;
  const comparison = await compareWithSource(ports, { ...header, origin: header.origin }, own);
  const firstDifference = own.firstDifference ?? comparison.firstDifference;
  return withoutAbsent({
    ...own,
    ok: own.ok && firstDifference === undefined,
    ...(firstDifference && { firstDifference }),
    comparedWith: comparison.comparedWith,
  });
}

/** A verification is plain data; what is absent is left out by JSON. */
function withoutAbsent(verification: Verification): JsonValue {
  return verification as unknown as JsonValue;
}
