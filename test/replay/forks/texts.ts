/** A text of about so many characters that says something else at every place, with facts that a summary keeps. */
export function textOf(place: number, size: number): string {
  const sentence = (part: number): string =>
    `Order ORD-${place}${part} in /srv/data/${place}/part-${part}.json is due 2026-03-${10 + ((place + part) % 18)}, total ${place * 7 + part}.50. `;
  let text = '';
  for (let part = 0; text.length < size; part += 1) text += sentence(part);
  return text.slice(0, Math.max(1, size));
}
