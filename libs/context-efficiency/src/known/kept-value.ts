import { isFacts, isUnset, type Facts } from '../json/facts.js';

/**
 * What of a fact is kept. Of another type it becomes an empty value that counts for the same as what stood there: nothing of
 * its own is in it.
 */
export type Kept = (value: unknown) => unknown;

/** A value that is compared or looked at as a whole: of lists and objects only that they are some. */
export const scalar: Kept = (value) => {
  if (Array.isArray(value)) return [];
  return isFacts(value) ? {} : value;
};

/** Counts only as one of the two booleans; whatever else stands there is neither. */
export const flag: Kept = (value) => (typeof value === 'boolean' || isUnset(value) ? value : 0);

/** Counts for whether it is truthy. */
export const truth: Kept = (value) => (isUnset(value) ? value : Boolean(value));

/** Of texts only these count. */
export function oneOf(words: readonly unknown[]): Kept {
  return (value) => (words.includes(value) ? value : withoutText(scalar(value)));
}

/** A text is no number, whatever it says. */
export const figure: Kept = (value) => withoutText(scalar(value));

export function listOf(item: Kept): Kept {
  return (value) => (Array.isArray(value) ? value.map(item) : withoutText(scalar(value)));
}

/** An object of these names and no other. */
export function objectOf(names: Readonly<Record<string, Kept>>): Kept {
  return (value) => (isFacts(value) ? membersOf(value, names) : withoutText(scalar(value)));
}

function membersOf(facts: Facts, names: Readonly<Record<string, Kept>>): Facts {
  const known = Object.entries(names).filter(([name]) => Object.hasOwn(facts, name));
  return Object.fromEntries(known.map(([name, keep]) => [name, keep(facts[name])]));
}

function withoutText(value: unknown): unknown {
  return typeof value === 'string' ? '' : value;
}
