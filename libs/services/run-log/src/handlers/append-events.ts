import { appendEventsSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest, type AppendRequest } from '@palimpsest/kernel';
import { requireSmallPayloads } from './payload-limit.js';
import type { RunLogPorts } from './run-log-ports.js';

/** The log's own append, for services that record facts of theirs (windows, summaries, re-emitted events). */
export async function appendEvents(ports: RunLogPorts, body: JsonValue): Promise<JsonValue> {
  const { at, ...request } = parseRequest(appendEventsSchema, body);
  requireSmallPayloads(request.events as AppendRequest['events']);
  return ports.eventLog.append({ ...request, at: new Date(at) } as AppendRequest);
}
