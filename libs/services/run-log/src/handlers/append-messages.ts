import {
  appendMessagesSchema,
  eventIdOf,
  type AppendedMessages,
  type JsonValue,
} from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import { recordCommand } from './record-command.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Records messages, all or none. A retry of a recorded command gets the first answer: it is a function of the place. */
export async function appendMessages(ports: HandlerPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(appendMessagesSchema, body);
  const { firstSequence, lastSequence } = await recordCommand(ports, { kind: 'append-messages', ...command });
  const length = lastSequence - firstSequence + 1;
  const answer: AppendedMessages = {
    firstSequence,
    lastSequence,
    lastMessageSequence: lastSequence,
    eventIds: Array.from({ length }, (_, place) => eventIdOf(command.runId, firstSequence + place)),
  };
  return answer;
}
