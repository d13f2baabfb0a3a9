import type { RunEvent } from '@palimpsest/contracts';

/** A comment line: it carries no id, so a reconnect resumes where it should. */
export const KEEPALIVE = ':keepalive\n\n';

/** JSON text holds no line break, so one `data:` line is enough. */
export function sseFrame(id: number, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const frames = new WeakMap<RunEvent, string>();

/** Made once for all who are shown the same event. */
export function eventFrame(event: RunEvent): string {
  const made = frames.get(event) ?? sseFrame(event.sequence, event.type, event);
  frames.set(event, made);
  return made;
}

export function batchFrame(events: readonly RunEvent[]): string {
  return sseFrame(events.at(-1)?.sequence ?? 0, 'batch', events);
}
