import type { JsonValue } from '@palimpsest/contracts';
import { parseAnswer, ServiceUnavailableError, type MessageBus } from '@palimpsest/kernel';

export type AnswerSchema<Answer> = Parameters<typeof parseAnswer<Answer>>[0];

/** A question to another service: where, what, and how long it may take. */
export type Question = {
  readonly subject: string;
  readonly body: object;
  readonly timeoutMs: number;
};

/** Asks over the bus. A refusal keeps its code and class; an answer of a foreign shape is an `internal_error`. */
export async function ask<Answer>(
  bus: MessageBus,
  question: Question,
  schema: AnswerSchema<Answer>,
): Promise<Answer> {
  const { subject, body, timeoutMs } = question;
  // A long timeout is for the work asked for, not for a bus that is known to be away.
  if (!bus.isConnected()) throw new ServiceUnavailableError('The message bus');
  // Requests are plain data by their types; members that are undefined are left out on the way.
  const answer = await bus.request(subject, body as JsonValue, { timeoutMs });
  return parseAnswer(schema, answer, subject);
}
