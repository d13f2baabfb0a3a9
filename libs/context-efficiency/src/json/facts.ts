import { refuse } from '../answers/context-refusal.js';

/** A JSON object as it came. Read it with {@link factOf}: names such as `constructor` are ordinary keys. */
export type Facts = Readonly<Record<string, unknown>>;

export const NO_FACTS: Facts = Object.freeze({});

export function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value under an own key; `undefined` where the key is absent. */
export function factOf(facts: Facts, name: string): unknown {
  return Object.hasOwn(facts, name) ? facts[name] : undefined;
}

/** The object under a key; one without facts where something else stands there, or nothing. */
export function factsOf(facts: Facts, name: string): Facts {
  const value = factOf(facts, name);
  return isFacts(value) ? value : NO_FACTS;
}

/** Absent or null. */
export function isUnset(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Strictly the boolean: most facts count in no other form. */
export function isTrue(facts: Facts, name: string): boolean {
  return factOf(facts, name) === true;
}

export function isTruthy(facts: Facts, name: string): boolean {
  return Boolean(factOf(facts, name));
}

/** An operand that has to be an object. */
export function requireFacts(value: unknown): Facts {
  return isFacts(value) ? value : refuse('INVALID_REQUEST');
}
