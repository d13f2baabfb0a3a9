import { cancelRunSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import { recordCommand } from './record-command.js';
import { answerStatus } from './run-status.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Cancels a run of any kind; answers its status: `cancelled`, `cancelling`, or how it had ended before. */
export async function cancelRun(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(cancelRunSchema, body);
  await recordCommand(ports, { kind: 'cancel-run', ...command });
  return answerStatus(ports, command);
}
