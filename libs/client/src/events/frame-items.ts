import { UnexpectedAnswerError } from '../client-errors.js';
import type { RunEvent, RunSnapshot } from '../documents.js';
import type { SseFrame } from './sse-frames.js';

/** An event, or with `bufferMs` a batch of them. What was seen already is left out. */
export function eventsIn({ data }: SseFrame, after: number, url: string): readonly RunEvent[] {
  const value = parsed(data, url);
  const events = (Array.isArray(value) ? value : [value]) as readonly RunEvent[];
  return events.filter(({ sequence }) => sequence > after);
}

/** A stream of snapshots begins with one after each reconnect, moved on or not. */
export function snapshotsIn({ id, data }: SseFrame, after: number, url: string): readonly RunSnapshot[] {
  const sequence = Number(id);
  return sequence <= after ? [] : [parsed(data, url) as RunSnapshot];
}

function parsed(data: string, url: string): object {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // As below: what JSON.parse says would hold a piece of the data.
  }
  throw new UnexpectedAnswerError(url, 200);
}
