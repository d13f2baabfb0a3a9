import type { ContextRequest, ContextSettings } from '@palimpsest/contracts';
import { shapeBudget } from '@palimpsest/transcript';

/**
 * The settings of a branch: what was asked for, laid over those of its source and resolved as at creation. A budget is a
 * number of one unit, so that another unit without a budget takes the host's for it. Turns to keep that are not asked for
 * and that the budget cannot hold any more are what a new run would keep.
 */
export function overlaidContext(
  source: ContextSettings | undefined,
  request: ContextRequest,
  resolve: (request: ContextRequest) => ContextSettings,
): ContextSettings {
  const { keepLastTurns: kept, ...laid } = { ...inTheUnitOf(request, source), ...request };
  if (request.keepLastTurns !== undefined) return resolve({ ...laid, keepLastTurns: request.keepLastTurns });
  const chosen = resolve(laid);
  if (kept === undefined) return chosen;
  const asBefore = { ...chosen, keepLastTurns: kept };
  return shapeBudget(asBefore).feasible ? asBefore : chosen;
}

function inTheUnitOf({ tokenCounter }: ContextRequest, source: ContextSettings | undefined): ContextRequest {
  if (!source || tokenCounter === undefined || tokenCounter === source.tokenCounter) return { ...source };
  const { transcriptTokenBudget: _budget, ...others } = source;
  return others;
}
