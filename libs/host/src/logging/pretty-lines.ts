import type { DestinationStream } from 'pino';

const HIDDEN = new Set(['level', 'time', 'service', 'msg']);

/** Turns each JSON line into `12:00:00.000 INFO  gateway  message  key=value`. */
export function prettyLines(destination: DestinationStream): DestinationStream {
  return { write: (line) => destination.write(`${prettyLine(line)}\n`) };
}

function prettyLine(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const fields = Object.entries(entry)
    .filter(([key]) => !HIDDEN.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const time = String(entry['time']).slice(11, 23);
  const level = String(entry['level']).toUpperCase().padEnd(5);
  return [time, level, entry['service'], entry['msg'], ...fields].join(' ');
}
