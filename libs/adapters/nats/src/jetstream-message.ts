import { nanos, type Msg } from '@nats-io/transport-node';
import type { JsonValue } from '@palimpsest/contracts';

/** A message as JetStream hands it out: what it is, how often it came, and the answers the server takes. */
export type JetStreamMessage = {
  readonly id: string;
  readonly subject: string;
  readonly attempt: number;
  /** Its place in the stream; the same at every delivery. */
  readonly sequence: string;
  /** Throws where the bytes are not JSON. */
  body(): JsonValue;
  acknowledge(): void;
  /** Delivered again after the delay. */
  giveBack(delayMs: number): void;
  working(): void;
};

export function jetStreamMessage(message: Msg): JetStreamMessage {
  const { attempt, sequence } = deliveryInfo(message.reply ?? '');
  return {
    id: message.headers?.get('Nats-Msg-Id') || `sequence-${sequence}`,
    subject: message.subject,
    attempt,
    sequence,
    body: () => message.json<JsonValue>(),
    acknowledge: () => void message.respond('+ACK'),
    giveBack: (delayMs) => void message.respond(`-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`),
    working: () => {
      try {
        message.respond('+WPI');
      } catch {
        // The connection is closed for good: nobody is left to be told.
      }
    },
  };
}

/**
 * `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.…`, or, on servers with domains,
 * `$JS.ACK.<domain>.<account>.<stream>.<consumer>.<deliveries>.<stream sequence>.…`.
 */
function deliveryInfo(reply: string): { readonly attempt: number; readonly sequence: string } {
  const tokens = reply.split('.');
  const start = tokens.length >= 11 ? 6 : 4;
  return { attempt: Number(tokens[start] ?? 1), sequence: tokens[start + 1] ?? '0' };
}
