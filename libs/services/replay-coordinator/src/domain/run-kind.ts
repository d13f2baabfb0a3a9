import {
  EXTERNAL_WORKFLOW,
  foldOwnLoop,
  ownLoopStatusAfter,
  type JsonObject,
  type OwnLoopState,
  type PlacedEvent,
  type RunStatus,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { foldWorkflowRun, runStatusOf, workflowStateOf } from '@palimpsest/workflow';

/** What a run's header says after some more of its events. */
export type Standing = { readonly state: JsonObject; readonly status: RunStatus };

/** Runs whose loop is the caller's, and runs that the host executes: their states follow from other rules. */
export type RunKind = 'own-loop' | 'workflow';

export function runKindOf(workflowId: string): RunKind {
  return workflowId === EXTERNAL_WORKFLOW ? 'own-loop' : 'workflow';
}

/** The header of a fork after events that it records now, at `timestamp`. Its target stays. */
export function standingAfter(
  kind: RunKind,
  before: JsonObject,
  { events, timestamp }: { readonly events: readonly PlacedEvent[]; readonly timestamp: string },
): Standing {
  const { replayTarget } = before as { readonly replayTarget?: number };
  const target = replayTarget === undefined ? {} : { replayTarget };
  if (kind === 'own-loop') {
    // The log wrote these states with the same folds; they are not checked again.
    const state = events.reduce(foldOwnLoop, before as unknown as OwnLoopState);
    const status = ownLoopStatusAfter(events.at(-1)?.type ?? '');
    return { state: { ...state, ...target } as unknown as JsonObject, status };
  }
  const state = events
    .map((event) => ({ ...event, timestamp }))
    .reduce<WorkflowRunState | undefined>(foldWorkflowRun, workflowStateOf(before));
  if (!state) return { state: before, status: 'pending' };
  return { state: { ...state, ...target } as unknown as JsonObject, status: runStatusOf(state) };
}
