import { EXTERNAL_WORKFLOW, type OwnLoopState, type RunHeader, type RunStatus } from '@palimpsest/contracts';

/** A run as the decider sees it. `head` is the sequence of its last event. */
export type OwnLoopRun =
  | { readonly status: 'absent' }
  | { readonly status: 'active'; readonly head: number; readonly loop: OwnLoopState }
  | {
      readonly status: 'closed';
      readonly head: number;
      readonly runStatus: RunStatus;
      readonly isReplay: boolean;
      /** False on a fork that has yet to repeat events of its source. */
      readonly isComplete: boolean;
    };

export type ActiveRun = Extract<OwnLoopRun, { status: 'active' }>;

/** A run takes turns while it runs, its loop is the caller's, and it is no copy of what another run said. */
export function runOf(header: RunHeader | undefined): OwnLoopRun {
  if (!header) return { status: 'absent' };
  const { head, status } = header;
  // The log wrote this state with `foldOwnLoop`; it is not checked again.
  const loop = header.state as unknown as OwnLoopState;
  const isReplay = header.origin?.mode === 'replay';
  const isComplete = head >= (loop.replayTarget ?? 0);
  const isOwnLoop = header.workflowId === EXTERNAL_WORKFLOW;
  return status === 'running' && isOwnLoop && !isReplay && isComplete
    ? { status: 'active', head, loop }
    : { status: 'closed', head, runStatus: status, isReplay, isComplete };
}
