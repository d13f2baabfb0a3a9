import type { RunEvent } from '@palimpsest/contracts';
import { batchFrame, eventFrame } from './sse-frames.js';

/** Events on their way to a stream: a frame each, or gathered for up to `bufferMs` (host specification §3.7). */
export class FrameBuffer {
  private held: readonly RunEvent[] = [];
  private due = Infinity;

  constructor(private readonly bufferMs: number) {}

  /** When something has to be sent; `Infinity` while nothing is held. */
  get dueAt(): number {
    return this.due;
  }

  /** Takes events; returns the frames to send at `now`. Nothing is held back at the end or when a node waits. */
  frames(events: readonly RunEvent[], now: number, ended: boolean): readonly string[] {
    if (this.bufferMs === 0) return events.map(eventFrame);
    if (this.held.length === 0 && events.length > 0) this.due = now + this.bufferMs;
    this.held = [...this.held, ...events];
    const suspended = events.some(({ type }) => type === 'node.suspended');
    return ended || suspended || now >= this.due ? this.flush() : [];
  }

  flush(): readonly string[] {
    const events = this.held;
    this.held = [];
    this.due = Infinity;
    return events.length === 0 ? [] : [batchFrame(events)];
  }
}
