import { forkLogSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

export async function forkLog(ports: RunLogPorts, body: JsonValue): Promise<JsonValue> {
  const { at, ...request } = parseRequest(forkLogSchema, body);
  return (await ports.eventLog.fork({ ...request, at: new Date(at) })) as unknown as JsonValue;
}
