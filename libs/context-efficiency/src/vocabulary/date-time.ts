const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * The instant of a strict date-time (contract §2.1) in whole milliseconds of Unix time, further digits cut off;
 * `undefined` where the value is no such text.
 */
export function instantOf(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? SHAPE.exec(value) : null;
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as Six;
  const offset = offsetOf(parts);
  if (offset === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const midnight = midnightOf(year, month, day);
  const fraction = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return midnight && midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
}

type Six = [number, number, number, number, number, number];

export function isDateTime(value: unknown): value is string {
  return instantOf(value) !== undefined;
}

/** Minutes east of UTC. */
function offsetOf(parts: RegExpExecArray): number | undefined {
  const [hours, minutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return (parts[8] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** `setUTCFullYear`, as `Date.UTC` takes the years 0 to 99 for others; a day that does not exist moves the month. */
function midnightOf(year: number, month: number, day: number): Date | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}
