import type { ComparedRun, RunHeader } from '@palimpsest/contracts';
import type { PlannedWindow } from './window-pairs.js';

/** A run's side of a comparison, from its header and its last window, which has the sums over all of them. */
export function comparedRun(header: RunHeader, last: PlannedWindow | undefined): ComparedRun {
  const { runId, workflowId, status, head, origin } = header;
  const { fedTokens = 0, unboundedTokens = 0, summaries = 0 } = last?.window.totals ?? {};
  return {
    runId,
    workflowId,
    status,
    events: head + 1,
    windows: last?.window.iteration ?? 0,
    ...(last && { tokenCounter: last.window.tokenCounter }),
    tokens: { fedTokens, unboundedTokens, notResentTokens: Math.max(0, unboundedTokens - fedTokens) },
    summaries,
    ...(origin && { origin }),
  };
}
