import { RetryableError } from '@palimpsest/kernel';

/** Far more than an answer of a million tokens takes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** More than this is no answer: an endless body would fill the memory of the process before its time is up. */
class AnswerTooLargeError extends RetryableError {
  constructor(limitBytes: number) {
    super('service_unavailable', 'The body of an answer is too large.', { details: { limitBytes } });
  }
}

/** A redirect is an answer like any other status: followed, it would carry the key to wherever it points. */
export const guardedFetch = fetchWithin(MOST_BYTES);

/** Reading a body fails where it has more bytes than this, after decompression; the connection is closed then. */
export function fetchWithin(mostBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound(mostBytes)), { status, statusText, headers });
  };
}

function bound(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = mostBytes;
  return new TransformStream({
    transform: (chunk, controller) => {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new AnswerTooLargeError(mostBytes));
      else controller.enqueue(chunk);
    },
  });
}
