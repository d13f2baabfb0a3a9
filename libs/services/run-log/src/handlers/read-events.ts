import { readEventsSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest, type ReadRunRequest } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

/** One page of a run; the log's own bounds (500 events, 512 KiB) keep it below what the bus carries. */
export async function readEvents(ports: RunLogPorts, body: JsonValue): Promise<JsonValue> {
  const request = parseRequest(readEventsSchema, body);
  return ports.eventLog.readRun(request as ReadRunRequest);
}
