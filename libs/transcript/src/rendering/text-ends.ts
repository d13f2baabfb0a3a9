/**
 * A text as far as it is looked at: whole up to `most` characters, else its beginning and its end, half each, on
 * lines of their own. What reads every word of a text takes time by its length, and other work waits meanwhile.
 */
export function textEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, isPairSplit(text, half) ? half - 1 : half);
  const from = text.length - half;
  const tail = text.slice(isPairSplit(text, from) ? from + 1 : from);
  return `${head}\n${tail}`;
}

/** True where the place lies between the two halves of a surrogate pair. */
function isPairSplit(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
