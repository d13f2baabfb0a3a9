import { WORKER_RETURNED, type JsonObject, type NewRunEvent, type WorkerState } from '@palimpsest/contracts';
import { RETURNED_BYTES } from '../engine/engine-limits.js';
import { jsonBytes } from '../engine/json-size.js';
import { isShallow } from '../values/json-depth.js';
import type { Visit } from './dispatch.js';
import { caused, closedEvent } from './loop-node-events.js';

/**
 * What a model is to read of a worker: its run's outputs; undefined where there are none. Too much of them is left out and
 * told as a number of bytes: a loop is not to fail of its worker's words.
 */
export function workerReturned(
  { workerId, childRunId = '', ended = 0 }: WorkerState,
  outputs: JsonObject | undefined,
  { node, moment }: Visit,
): NewRunEvent | undefined {
  if (!outputs || Object.keys(outputs).length === 0) return undefined;
  const payload = { workerId, childRunId, outputs: legible(moment.redact(outputs)) };
  return caused(closedEvent(WORKER_RETURNED, node, payload), moment.runId, ended);
}

function legible(outputs: JsonObject): JsonObject {
  const bytes = jsonBytes(outputs);
  return bytes <= RETURNED_BYTES && isShallow(outputs) ? outputs : { _omitted: bytes };
}
