import { factOf, isFacts, type Facts } from '../json/facts.js';

/** A rule of a closed schema. Lengths of texts are UTF-16 code units; every look-up is of own keys. */
export type Check = (value: unknown) => boolean;
export type Shape = Readonly<Record<string, Check>>;

export function text(min: number, max = Infinity): Check {
  return (value) => typeof value === 'string' && value.length >= min && value.length <= max;
}

export function oneOf(words: readonly unknown[]): Check {
  return (value) => words.includes(value);
}

export function nullOr(check: Check): Check {
  return (value) => value === null || check(value);
}

export function listOf(max: number, item: Check): Check {
  return (value) => Array.isArray(value) && value.length <= max && value.every((each) => item(each));
}

export function uniqueListOf(max: number, item: Check): Check {
  const list = listOf(max, item);
  return (value) => list(value) && new Set(value as unknown[]).size === (value as unknown[]).length;
}

/** An object with all keys of `mandatory`, perhaps some of `optional`, and no other. */
export function closedObject(mandatory: Shape, optional: Shape = {}): Check {
  const names = Object.keys(mandatory);
  return (value) => {
    if (!isFacts(value)) return false;
    const fits = (name: string): boolean => checkFor(name)?.(factOf(value, name)) ?? false;
    return names.every((name) => Object.hasOwn(value, name)) && Object.keys(value).every(fits);
  };

  function checkFor(name: string): Check | undefined {
    if (Object.hasOwn(mandatory, name)) return mandatory[name];
    return Object.hasOwn(optional, name) ? optional[name] : undefined;
  }
}

/** The first name of a shape whose member is missing or does not fit; undefined where none is. Further members are not looked at. */
export function unfitMember(shape: Shape, facts: Facts): string | undefined {
  const unfit = Object.entries(shape).find(
    ([name, check]) => !Object.hasOwn(facts, name) || !check(factOf(facts, name)),
  );
  return unfit?.[0];
}
