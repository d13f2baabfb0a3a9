import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ClientError } from '../client-errors.js';

/** How a stream ended: by the server's hand, or in the middle. */
export type StreamEnd = 'ended' | 'broken';

export type SseFrame = EventSourceMessage;

/**
 * The frames of a `text/event-stream` body that arrived whole; what a broken one leaves behind is dropped. A body
 * that is silent for longer than `silenceMs` counts as broken: its connection may be gone without a word. Leaving
 * the loop ends the connection.
 */
export async function* framesIn(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<SseFrame, StreamEnd, void> {
  const complete: SseFrame[] = [];
  const parser = createParser({ onEvent: (frame) => void complete.push(frame) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const chunk = await within(silenceMs, reader.read()).catch(() => undefined);
      if (!chunk) return 'broken';
      if (chunk.done) return 'ended';
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* complete.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentStreamError()), milliseconds);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

class SilentStreamError extends ClientError {
  constructor() {
    super('the event stream has gone silent', 'silent_stream');
    this.name = 'SilentStreamError';
  }
}
