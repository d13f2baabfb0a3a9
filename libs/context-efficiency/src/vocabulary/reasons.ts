import { REASONS, type Reason } from './words.js';

/** Each reason once, in the order of the contract. */
export function sortedReasons(reasons: Iterable<Reason>): readonly Reason[] {
  return [...new Set(reasons)].sort((one, other) => REASONS.indexOf(one) - REASONS.indexOf(other));
}
