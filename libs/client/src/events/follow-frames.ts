import { framesIn, type SseFrame, type StreamEnd } from './sse-frames.js';

/** What is followed. */
export type FrameSource<Item> = {
  /** Opens the stream behind the frame with this id; nothing where it has no body. */
  open(lastEventId: string | undefined): Promise<ReadableStream<Uint8Array> | undefined>;
  /** What a frame holds that lies behind this sequence. */
  itemsIn(frame: SseFrame, after: number): readonly Item[];
  /** After this item nothing comes. */
  isLast(item: Item): boolean;
  /** Is the run over, so that a stream which ends has said everything? */
  isOver(): Promise<boolean>;
  pause(milliseconds: number): Promise<unknown>;
};

export type FollowFrames = {
  readonly lastEventId: string | undefined;
  /** Keepalives come at least every 30 s (host specification §3.7). */
  readonly silenceMs: number;
};

type Connection = { readonly end: StreamEnd | 'done'; readonly lastEventId: string | undefined };

/** Yields every item once, in order, over as many connections as it takes. */
export async function* followFrames<Item>(
  source: FrameSource<Item>,
  { lastEventId: first, silenceMs }: FollowFrames,
): AsyncGenerator<Item, void, void> {
  let lastEventId = first;
  let over = false;
  for (let barren = 0; ; barren += 1) {
    const before = lastEventId;
    const connection: Connection = yield* oneConnection(source, { lastEventId, silenceMs });
    // A stream that was opened on a finished run, and ends, has nothing more to say.
    if (connection.end === 'done' || (over && connection.end === 'ended')) return;
    lastEventId = connection.lastEventId;
    if (lastEventId !== before) barren = 0;
    over ||= connection.end === 'ended' && (await source.isOver());
    if (!over) await source.pause(reconnectDelay(barren));
  }
}

async function* oneConnection<Item>(
  source: FrameSource<Item>,
  { lastEventId: first, silenceMs }: FollowFrames,
): AsyncGenerator<Item, Connection, void> {
  let lastEventId = first;
  const body = await source.open(lastEventId);
  if (!body) return { end: 'ended', lastEventId };
  const frames = framesIn(body, silenceMs);
  try {
    for (;;) {
      const next = await frames.next();
      if (next.done === true) return { end: next.value, lastEventId };
      for (const item of source.itemsIn(next.value, sequenceOf(lastEventId))) {
        yield item;
        if (source.isLast(item)) return { end: 'done', lastEventId };
      }
      // Never back: a server that repeats itself would have its repetition taken for news.
      if (sequenceOf(next.value.id) > sequenceOf(lastEventId)) lastEventId = next.value.id;
    }
  } finally {
    await frames.return('ended');
  }
}

/** An id of the stream is a sequence; anything else starts at the beginning. */
function sequenceOf(lastEventId: string | undefined): number {
  return /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : -1;
}

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** `barren`: connections in a row that brought nothing. */
export function reconnectDelay(barren: number): number {
  return Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(barren, 10));
}
