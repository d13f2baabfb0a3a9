import { refuse } from '../answers/context-refusal.js';
import { factOf, isUnset, type Facts } from '../json/facts.js';

type Bound = { readonly least: number; readonly byDefault: number };

/** An integer with a default; of any other type it is `INVALID_REQUEST` (contract §4.1). */
function integerUnder(facts: Facts, name: string, { least, byDefault }: Bound): number {
  const value = factOf(facts, name);
  if (isUnset(value)) return byDefault;
  return Number.isInteger(value) && (value as number) >= least
    ? (value as number)
    : refuse('INVALID_REQUEST');
}

/** Rows 6 and 7 of §4.4. */
export function isNestedTooDeep(facts: Facts): boolean {
  const depth = integerUnder(facts, 'nesting_depth', { least: 0, byDefault: 0 });
  return depth >= integerUnder(facts, 'max_nesting_depth', { least: 1, byDefault: 2 });
}

/** Row 10 of §4.4, and whether a writer is at the cap of inherited ones: that bars resume and inheritance. */
export function isAtCap(facts: Facts): boolean {
  const active = integerUnder(facts, 'active_inherited_writers', { least: 0, byDefault: 0 });
  return active >= integerUnder(facts, 'max_active_inherited', { least: 1, byDefault: 2 });
}
