import type { Verification } from '@palimpsest/contracts';

type Difference = NonNullable<Verification['firstDifference']>;

/** The difference of the lowest sequence, the first of equals; one without a place comes after all others. */
export function firstOf(differences: readonly (Difference | undefined)[]): Difference | undefined {
  const found = differences.filter((difference) => difference !== undefined);
  const places = found.map(({ sequence = Infinity }) => sequence);
  return found[places.indexOf(Math.min(...places))];
}
