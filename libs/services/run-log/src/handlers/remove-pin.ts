import { removePinSchema, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import { answerPin } from './pin-answer.js';
import { recordCommand } from './record-command.js';
import type { HandlerPorts } from './run-log-ports.js';

/** No window from here on feeds the pin; answers the place of its event, also to a retry. */
export async function removePin(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(removePinSchema, body);
  return answerPin(ports, command, await recordCommand(ports, { kind: 'remove-pin', ...command }));
}
