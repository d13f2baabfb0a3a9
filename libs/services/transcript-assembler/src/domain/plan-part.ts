import { LOG_PAGE_BYTES, type WindowPlan } from '@palimpsest/contracts';

/**
 * The part of a plan that one message between services can carry: entries, then instructions, passing over the
 * first `from` of both together. At least one of them; `next` tells where the next part begins. What a window
 * replaces by its summaries travels with the first part.
 */
export function planPart(plan: WindowPlan, from = 0, maxBytes = LOG_PAGE_BYTES): WindowPlan {
  const items: readonly object[] = [...plan.entries, ...plan.instructions];
  let end = from;
  for (let bytes = 0; end < items.length; end += 1) {
    bytes += JSON.stringify(items[end]).length;
    if (bytes > maxBytes && end > from) break;
  }
  const first = plan.entries.length;
  return {
    ...plan,
    entries: plan.entries.slice(from, end),
    instructions: plan.instructions.slice(Math.max(0, from - first), Math.max(0, end - first)),
    summarizedRanges: from === 0 ? plan.summarizedRanges : [],
    ...(end < items.length && { next: end }),
  };
}
