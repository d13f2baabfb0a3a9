import { reEmitEventsSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest, type ReEmitRequest } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

/** The log's own re-emission: what a replay repeats does not leave the log. */
export async function reEmitEvents(ports: RunLogPorts, body: JsonValue): Promise<JsonValue> {
  const { at, ...request } = parseRequest(reEmitEventsSchema, body);
  return { reEmitted: await ports.eventLog.reEmit({ ...request, at: new Date(at) } as ReEmitRequest) };
}
