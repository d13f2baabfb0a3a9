import { finishRunSchema, type JsonValue } from '@palimpsest/contracts';
import { NotFoundError, parseRequest } from '@palimpsest/kernel';
import { recordCommand } from './record-command.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Completes a run; answers its header, which nothing changes afterwards. */
export async function finishRun(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(finishRunSchema, body);
  await recordCommand(ports, { kind: 'finish-run', ...command });
  const header = await ports.eventLog.header(command.tenantId, command.runId);
  if (!header) throw new NotFoundError('The run', { runId: command.runId });
  return header as unknown as JsonValue;
}
