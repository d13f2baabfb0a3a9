export type StreamedEvent = { readonly id: number; readonly event: string; readonly data: string };

/** A run's events as server-sent events, frame by frame. */
export class EventStreamClient {
  readonly frames: StreamedEvent[] = [];
  /** True once the server has ended the stream. */
  ended = false;
  readonly #closing = new AbortController();
  readonly #reading: Promise<void>;

  private constructor(response: Response, closing: AbortController) {
    this.#closing = closing;
    this.#reading = this.#read(response);
  }

  static async open(url: string, key: string, lastEventId?: number): Promise<EventStreamClient> {
    const closing = new AbortController();
    const response = await fetch(url, {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
      },
      signal: closing.signal,
    });
    return new EventStreamClient(response, closing);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reading;
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of response.body ?? []) {
        const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) this.#take(part);
      }
      this.ended = true;
    } catch {
      // Called off, or the server is gone.
    }
  }

  #take(part: string): void {
    const fields = new Map(
      part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const id = fields.get('id');
    if (id === undefined) return;
    this.frames.push({ id: Number(id), event: fields.get('event') ?? '', data: fields.get('data') ?? '' });
  }
}
