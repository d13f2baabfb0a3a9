import { ValidationError } from '../errors/known-errors.js';
import type { DurableMessage, KeptLetter } from '../ports/message-bus.js';

/** Ends the id of a message that was dead: the place of its last letter, in the place of any before. */
const MARK = '~';
const REVIVED = /~\d+$/;

/**
 * The message of a letter as it is published again. Its id is a function of the letter, so that two retries at once are one
 * message; and it is another one than before, which its stream may still remember.
 */
export function reviveMessage({ id, place, subject, body, bodyOmitted, stream }: KeptLetter): DurableMessage {
  if (bodyOmitted) {
    throw new ValidationError(
      'The body of this dead letter was not kept; only who sent it can send it again.',
      {
        stream,
        messageId: id,
      },
    );
  }
  return { id: `${id.replace(REVIVED, '')}${MARK}${place}`, subject, body };
}
