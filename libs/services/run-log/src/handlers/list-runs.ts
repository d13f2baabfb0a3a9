import { LOG_PAGE_BYTES, listRunsSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest, type ListRunsRequest, type RunList } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

/**
 * Newest runs first. Headers carry metadata of up to 64 KiB each, so a list that would not fit into one bus
 * message is asked for again at half the length; its cursor leads to the rest.
 */
export async function listRuns(ports: RunLogPorts, body: JsonValue): Promise<JsonValue> {
  const request = parseRequest(listRunsSchema, body) as ListRunsRequest;
  let list: RunList = await ports.eventLog.listRuns(request);
  while (list.runs.length > 1 && Buffer.byteLength(JSON.stringify(list)) > LOG_PAGE_BYTES) {
    const limit = Math.floor(list.runs.length / 2);
    list = await ports.eventLog.listRuns({ ...request, limit });
  }
  return list as unknown as JsonValue;
}
