import {
  EXTERNAL_WORKFLOW,
  ownLoopStateSchema,
  type PinsState,
  type RunHeader,
  type TokenCounterName,
} from '@palimpsest/contracts';
import { workflowStateOf } from '@palimpsest/workflow';

/** A run with transcript windows, of either kind: the unit they are counted in, and what is pinned in them. */
export type WindowedRun = {
  readonly header: RunHeader;
  readonly ownLoop: boolean;
  readonly tokenCounter: TokenCounterName;
  readonly pins: PinsState;
};

/** False for a workflow without an execution loop. */
export function hasWindows({ workflowId, state }: RunHeader): boolean {
  return workflowId === EXTERNAL_WORKFLOW || workflowStateOf(state)?.context !== undefined;
}

/** Undefined where a run has no windows, and of a fork that has no events yet. */
export function windowedRunOf(header: RunHeader): WindowedRun | undefined {
  const ownLoop = header.workflowId === EXTERNAL_WORKFLOW;
  const state = ownLoop ? ownLoopStateSchema.safeParse(header.state).data : workflowStateOf(header.state);
  if (!state?.context) return undefined;
  return { header, ownLoop, tokenCounter: state.context.tokenCounter, pins: state.pins ?? {} };
}
