/** One frame of a server-sent event stream: an event, or a comment such as a keepalive. */
export type Frame =
  | {
      readonly kind: 'event';
      /** The frame's own `id:`; undefined where it carried none. */
      readonly id: string | undefined;
      readonly event: string;
      readonly data: string;
    }
  | { readonly kind: 'comment'; readonly text: string };

export type EventFrame = Extract<Frame, { kind: 'event' }>;

/**
 * Frames of a `text/event-stream` body, however its bytes are cut: lines end with LF, CRLF or CR, several `data:`
 * lines are joined by LF, a frame without its blank line at the end is dropped (HTML standard, server-sent events).
 */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let fields = new Map<string, string[]>();
  for await (const line of readLines(body)) {
    if (line === '') {
      if (fields.has('data')) yield frameOf(fields);
      fields = new Map();
    } else if (line.startsWith(':')) {
      yield { kind: 'comment', text: line.slice(1) };
    } else {
      const [, name, value] = /^([^:]*)(?::[ ]?([^]*))?$/.exec(line) as unknown as [string, string, string?];
      fields.set(name, [...(fields.get(name) ?? []), value ?? '']);
    }
  }
}

function frameOf(fields: ReadonlyMap<string, readonly string[]>): EventFrame {
  return {
    kind: 'event',
    id: fields.get('id')?.at(-1),
    event: fields.get('event')?.at(-1) ?? 'message',
    data: (fields.get('data') ?? []).join('\n'),
  };
}

/** Complete lines. A CR at the end of a chunk ends its line; an LF that then opens the next chunk belongs to it. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let afterCarriageReturn = false;
  for await (const chunk of body) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (afterCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    afterCarriageReturn = /\r$/.test(text);
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
