/** Longer runs of marks than any language has. The two others become marks in compatibility form. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{64}/u;
const MARKS = /\p{M}{64,}/gu;

/** A mark of the highest combining class; no other has it. */
const LAST = '\u0345';

/**
 * NFKC in time that hardly grows faster than the text: engines put marks in canonical order one by one, which takes
 * minutes for a mebibyte of them. Long runs are put in order here first; the form of the text stays the same.
 */
export function compatibilityForm(text: string): string {
  return (LONG_RUN.test(text) ? ordered(text) : text).normalize('NFKC');
}

/** Character by character, as what one becomes may be marks that belong to a run. */
function ordered(text: string): string {
  const decomposed = Array.from(text, (character) => character.normalize('NFKD')).join('');
  return decomposed.replace(MARKS, inCanonicalOrder);
}

/** Sorted by combining class, those of one class left in their order; a mark without a class is passed by none. */
function inCanonicalOrder(run: string): string {
  const ranks = ranksOf(new Set(run));
  const stretches: string[][] = [[]];
  for (const mark of run) {
    if (ranks.has(mark)) stretches.at(-1)?.push(mark);
    else stretches.push([mark], []);
  }
  const rank = (mark: string): number => ranks.get(mark) ?? 0;
  return stretches.flatMap((marks) => marks.sort((one, other) => rank(one) - rank(other))).join('');
}

/** The places of classes, lowest first. JavaScript has no name for a class, but it swaps two marks by it. */
function ranksOf(marks: Iterable<string>): ReadonlyMap<string, number> {
  const classed = [...marks].filter((mark) => mark === LAST || isBefore(mark, LAST));
  const sorted = classed.sort((one, other) => Number(isBefore(other, one)) - Number(isBefore(one, other)));
  const ranks = new Map<string, number>();
  let rank = 0;
  sorted.forEach((mark, place) => {
    if (place > 0 && isBefore(sorted[place - 1] ?? mark, mark)) rank += 1;
    ranks.set(mark, rank);
  });
  return ranks;
}

function isBefore(one: string, other: string): boolean {
  return (other + one).normalize('NFD') !== other + one;
}
