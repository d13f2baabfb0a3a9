import {
  createRunSchema,
  startedOwnLoop,
  type JsonObject,
  type JsonValue,
  type RunHeader,
} from '@palimpsest/contracts';
import { NotFoundError, parseRequest } from '@palimpsest/kernel';
import { recordCommand } from './record-command.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Starts an own-loop run; answers its header as of the creation, also to a retry that comes later. */
export async function createRun(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(createRunSchema, body);
  const { tenantId, runId } = command;
  await recordCommand(ports, { kind: 'create-run', ...command });
  const [header, page] = await Promise.all([
    ports.eventLog.header(tenantId, runId),
    ports.eventLog.readRun({ tenantId, runId, fromSequence: 0, limit: 1 }),
  ]);
  const started = page.events[0];
  if (!header || !started) throw new NotFoundError('The run', { runId });
  const asCreated: RunHeader = {
    tenantId,
    runId,
    workflowId: header.workflowId,
    status: 'running',
    head: 0,
    createdAt: header.createdAt,
    updatedAt: header.createdAt,
    state: startedOwnLoop(started.payload) as unknown as JsonObject,
  };
  return asCreated as unknown as JsonValue;
}
