import type { RunHeader, RunRelation } from '@palimpsest/contracts';

/** A run whose log a run begins with: how many of its first events are that run's. */
export type Ancestor = { readonly runId: string; readonly events: number };

/** A run as of a comparison. `ancestry`: itself with all its events, then its source, that one's source … */
export type ComparedLog = { readonly header: RunHeader; readonly ancestry: readonly Ancestor[] };

/** `headers`: the run, then its sources upwards. What a run has of a source further up is at most what it has of its own. */
export function ancestryOf(headers: readonly RunHeader[]): readonly Ancestor[] {
  let events = Infinity;
  return headers.map(({ runId, head }, place) => {
    const fork = headers[place - 1]?.origin;
    events = Math.min(events, fork?.fromSequence ?? head + 1);
    return { runId, events };
  });
}

/**
 * What two runs have of each other without a look at their events. Going up, a run has less and less of its ancestors,
 * so the first that both have is the one of which both have most.
 */
export function relationOf(run: ComparedLog, other: ComparedLog): RunRelation {
  const [own, others] = [run.header.runId, other.header.runId];
  for (const mine of run.ancestry) {
    const theirs = other.ancestry.find(({ runId }) => runId === mine.runId);
    if (!theirs) continue;
    const sharedEvents = Math.min(mine.events, theirs.events);
    return { kind: kindOf(mine.runId, own, others), ancestorRunId: mine.runId, sharedEvents };
  }
  return { kind: 'unrelated', sharedEvents: 0 };
}

function kindOf(ancestor: string, own: string, others: string): RunRelation['kind'] {
  if (own === others) return 'same';
  if (ancestor === own) return 'source';
  return ancestor === others ? 'fork' : 'siblings';
}
