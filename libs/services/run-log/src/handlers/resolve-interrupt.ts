import { resolveInterruptSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import { recordCommand } from './record-command.js';
import { answerStatus } from './run-status.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Records the answer to an interrupt; answers the run's status. */
export async function resolveInterrupt(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(resolveInterruptSchema, body);
  await recordCommand(ports, { kind: 'resolve-interrupt', ...command });
  return answerStatus(ports, command);
}
