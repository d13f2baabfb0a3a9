import { sortedReasons } from '../vocabulary/reasons.js';
import type { Mode, Reason } from '../vocabulary/words.js';

export type RouteDecision = { readonly mode: Mode; readonly reason_codes: readonly Reason[] };

/** Reasons may be false where they do not apply. */
export function decision(mode: Mode, ...reasons: readonly (Reason | false)[]): RouteDecision {
  return { mode, reason_codes: sortedReasons(reasons.filter((reason) => reason !== false)) };
}
