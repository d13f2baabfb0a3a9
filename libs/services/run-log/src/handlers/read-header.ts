import { readHeaderSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

export async function readHeader(ports: RunLogPorts, body: JsonValue): Promise<JsonValue> {
  const { tenantId, runId } = parseRequest(readHeaderSchema, body);
  const header = await ports.eventLog.header(tenantId, runId);
  return { header: (header ?? null) as JsonValue };
}
