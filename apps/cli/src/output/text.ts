/** Control characters and direction marks: what could move the cursor, or show text other than it is. */
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of others as a terminal may show it. Line feeds stay, tabs become blanks. */
export function printable(text: string): string {
  return text.replaceAll('\t', '  ').replaceAll('\r\n', '\n').replace(UNPRINTABLE, '\uFFFD');
}

/** An answer whose texts are all shown on one line each, whatever the server has put into them. */
export function printableAnswer<Answer>(answer: Answer): Answer {
  return printableValue(answer) as Answer;
}

function printableValue(value: unknown): unknown {
  if (typeof value === 'string') return printable(value).replaceAll('\n', ' ');
  if (Array.isArray(value)) return value.map(printableValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, printableValue(member)]));
}

/** On one line, at most `most` characters, with an ellipsis where something was left out. */
export function oneLine(text: string, most: number): string {
  return clip(printable(text).replace(/\s+/g, ' ').trim(), most);
}

export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, Math.max(0, most - 1))
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** Lines of at most `width` characters, broken at blanks where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let rest = paragraph;
    while (rest.length > width) {
      const blank = rest.lastIndexOf(' ', width);
      const end = blank > 0 ? blank : width;
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    lines.push(rest);
  }
  return lines;
}

const grouped = new Intl.NumberFormat('en-US');

/** `12,345` */
export function count(value: number): string {
  return grouped.format(value);
}

/** `1 window`, `12 windows` */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Of a whole, as `97.3 %`; a dash where there is nothing to compare with. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** `2026-01-31 14:05 +01:00`: local time, and by how many hours and minutes it is ahead of UTC. */
export function moment(iso: string, ahead = -new Date(iso).getTimezoneOffset()): string {
  const local = new Date(Date.parse(iso) + ahead * MINUTE_MS);
  if (Number.isNaN(local.getTime())) return oneLine(iso, 24);
  return `${local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} ${offsetText(ahead)}`;
}

const MINUTE_MS = 60_000;

function offsetText(ahead: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.abs(ahead);
  return `${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
