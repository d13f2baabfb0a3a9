import { startWorkflowSchema, type JsonValue, type RunStatusAnswer } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import { recordCommand } from './record-command.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Starts a run that the host executes; answers its status as of the creation, also to a retry that comes later. */
export async function startWorkflow(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(startWorkflowSchema, body);
  await recordCommand(ports, { kind: 'start-workflow', ...command });
  const asCreated: RunStatusAnswer = { runId: command.runId, status: 'pending' };
  return asCreated;
}
