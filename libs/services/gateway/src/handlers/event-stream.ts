import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { isTerminalStatus, type RunHeader } from '@palimpsest/contracts';
import { FrameBuffer } from '../domain/frame-buffer.js';
import { isInModes, type EventStreamRequest } from '../domain/event-stream-request.js';
import { runSnapshotOf } from '../domain/run-snapshot.js';
import { KEEPALIVE, sseFrame } from '../domain/sse-frames.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { RunTails } from './run-tails.js';
import { RunWatches, type RunWatch } from './run-watches.js';

export type StreamStart = EventStreamRequest & {
  readonly run: RunHeader;
  readonly fromSequence: number;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
};

/** Signs of life that a stream could not send. */
const STALLED_KEEPALIVES = 4;

/** A run's events as server-sent events (host specification §3.7). */
@Injectable()
export class EventStreams {
  constructor(
    @Inject(RunTails) private readonly tails: RunTails,
    @Inject(RunWatches) private readonly watches: RunWatches,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** When a client that takes nothing counts as one that does not read. */
  get stalledMs(): number {
    return STALLED_KEEPALIVES * this.options.keepAliveMs;
  }

  open(start: StreamStart): Readable {
    return Readable.from(this.frames(start), { objectMode: false });
  }

  private async *frames(start: StreamStart): AsyncGenerator<string> {
    const watch = await this.watches.open(start.run, start.gone);
    try {
      yield KEEPALIVE;
      yield* start.modes.includes('values') ? this.snapshots(start, watch) : this.events(start, watch);
    } finally {
      await watch.close();
    }
  }

  private async *events(start: StreamStart, { signal, over }: RunWatch): AsyncGenerator<string> {
    const buffer = new FrameBuffer(start.bufferMs);
    let next = start.fromSequence;
    let known = start.run;
    let sentAt = performance.now();
    while (!over.aborted) {
      const { events, ended } = await this.tails.read(known, next);
      next = (events.at(-1)?.sequence ?? next - 1) + 1;
      if (events.length > 0) known = { ...known, head: Math.max(known.head, next - 1) };
      const shown = events.filter(({ type }) => isInModes(type, start.modes));
      const frames = buffer.frames(shown, performance.now(), ended);
      yield* frames;
      if (frames.length > 0) sentAt = performance.now();
      if (ended) return;
      if (events.length > 0) continue;
      if (this.isSilent(sentAt)) {
        yield KEEPALIVE;
        sentAt = performance.now();
      }
      await signal.wait(this.patience(Math.min(buffer.dueAt, sentAt + this.options.keepAliveMs)));
    }
    yield* buffer.flush();
  }

  private isSilent(sentAt: number): boolean {
    return performance.now() - sentAt >= this.options.keepAliveMs;
  }

  /** How long to wait for a wake-up before the log is looked at all the same. */
  private patience(due: number): number {
    return Math.max(1, Math.min(this.options.pollMs, due - performance.now()));
  }

  /** `values`: the snapshot first, then each time the run has moved on. */
  private async *snapshots(start: StreamStart, { signal, over }: RunWatch): AsyncGenerator<string> {
    let shown: number | undefined;
    let sentAt = performance.now();
    while (!over.aborted) {
      const header = await this.tails.header(start.run);
      if (!header) return;
      if (header.head !== shown) {
        yield sseFrame(header.head, 'state.snapshot', runSnapshotOf(header));
        shown = header.head;
        sentAt = performance.now();
      }
      if (isTerminalStatus(header.status)) return;
      if (this.isSilent(sentAt)) {
        yield KEEPALIVE;
        sentAt = performance.now();
      }
      await signal.wait(this.patience(sentAt + this.options.keepAliveMs));
    }
  }
}
