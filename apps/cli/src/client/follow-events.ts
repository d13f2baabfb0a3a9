import { setTimeout as pause } from 'node:timers/promises';
import { isTerminalEventType, type RunEvent } from '@palimpsest/contracts';
import type { HttpClient } from './http-client.js';
import { runPath } from './palimpsest-api.js';

const BEFORE_RECONNECT_MS = 500;

/** A run's events as they are recorded, to its terminal event. A stream that breaks is taken up where it broke. */
export async function* followEvents(http: HttpClient, runId: string): AsyncGenerator<RunEvent> {
  for (let last: string | undefined; ;) {
    const response = await http.send({
      method: 'GET',
      path: `${runPath(runId)}/events`,
      headers: {
        accept: 'text/event-stream',
        ...(last !== undefined && { 'last-event-id': last }),
      },
    });
    try {
      for await (const frame of framesIn(response)) {
        last = frame.id ?? last;
        const event = JSON.parse(frame.data) as RunEvent;
        yield event;
        if (isTerminalEventType(event.type)) return;
      }
    } catch (error) {
      if (!isBrokenStream(error)) throw error;
    }
    await pause(BEFORE_RECONNECT_MS);
  }
}

/** `fetch` ends a body whose connection is gone with a `TypeError`. */
function isBrokenStream(error: unknown): boolean {
  return error instanceof TypeError;
}

export type SseFrame = { readonly id?: string; readonly data: string };

async function* framesIn(response: Response): AsyncGenerator<SseFrame> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = sseFrameOf(block);
      if (frame) yield frame;
    }
  }
}

/** Nothing for a comment. */
export function sseFrameOf(block: string): SseFrame | undefined {
  const fields = block.split('\n').map((line) => /^(id|data): ?(.*)$/.exec(line));
  const valuesOf = (name: string): string[] =>
    fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const data = valuesOf('data');
  if (data.length === 0) return undefined;
  const id = valuesOf('id').at(-1);
  return { data: data.join('\n'), ...(id !== undefined && { id }) };
}
