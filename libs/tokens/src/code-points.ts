export function countCodePoints(text: string): number {
  let points = text.length;
  for (let at = 1; at < text.length; at += 1) if (splitsPair(text, at)) points -= 1;
  return points;
}

/** Whether a cut at `at` would stand between the two halves of a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (!(unit >= 0xdc00 && unit <= 0xdfff)) return false;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before < 0xdc00;
}

/** The cut `points` code points after `at`, or the end. */
export function forward(text: string, at: number, points: number): number {
  let cut = at;
  for (let taken = 0; taken < points && cut < text.length; taken += 1)
    cut += splitsPair(text, cut + 1) ? 2 : 1;
  return cut;
}

/** The cut `points` code points before `at`, or 0. */
export function backward(text: string, at: number, points: number): number {
  let cut = at;
  for (let taken = 0; taken < points && cut > 0; taken += 1) cut -= splitsPair(text, cut - 1) ? 2 : 1;
  return cut;
}
