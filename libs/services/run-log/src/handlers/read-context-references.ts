import { readContextReferencesSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

/** Ids and sequences only, as many as the log itself bounds them to. */
export async function readContextReferences(ports: RunLogPorts, body: JsonValue): Promise<JsonValue> {
  return ports.eventLog.contextReferences(parseRequest(readContextReferencesSchema, body));
}
