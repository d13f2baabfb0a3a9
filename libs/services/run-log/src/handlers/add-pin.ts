import { addPinSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import { answerPin } from './pin-answer.js';
import { recordCommand } from './record-command.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Pins a text whose content is durable; answers the place of its event, also to a retry. */
export async function addPin(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(addPinSchema, body);
  return answerPin(ports, command, await recordCommand(ports, { kind: 'add-pin', ...command }));
}
