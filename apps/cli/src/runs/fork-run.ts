import { setTimeout as pause } from 'node:timers/promises';
import type { ForkAnswer, ForkBody, PalimpsestApi } from '../client/palimpsest-api.js';
import { EXTERNAL_WORKFLOW, isTerminalStatus } from '@palimpsest/contracts';
import { UsageError } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';
import { overlayOf, type OverlayOptions } from './fork-overlay.js';

export type ForkOptions = CommonOptions &
  OverlayOptions & {
    readonly mode: 'replay' | 'branch';
    readonly from?: number;
    readonly wait: boolean;
  };

/** `palimpsest fork <run>` */
export async function forkRun(runId: string, options: ForkOptions, session: Session): Promise<void> {
  const { output } = session;
  if (options.mode === 'branch' && options.from === undefined) {
    throw new UsageError(
      'a branch needs --from',
      'Events below it are shared: npx palimpsest events <run> lists them.',
    );
  }
  const runOptionsOverlay = overlayOf(options);
  if (options.mode === 'replay' && runOptionsOverlay) {
    throw new UsageError('a replay has the settings of its source', 'Other settings are for --mode branch.');
  }
  const api = await session.api(options);
  const body = {
    mode: options.mode,
    ...(options.from !== undefined && { fromSeq: options.from }),
    ...(runOptionsOverlay && { runOptionsOverlay }),
  };
  const fork = options.wait ? await completeFork(api, runId, body) : await api.fork(runId, body);
  if (options.json) return output.json(fork);
  output.line(`${fork.runId}  ${fork.mode} of ${fork.sourceRunId} at ${fork.fromSeq}`);
  output.note(await whatNext(api, fork));
}

async function whatNext(api: PalimpsestApi, { mode, runId }: ForkAnswer): Promise<string> {
  if (mode === 'replay') return `Compare it with its source: npx palimpsest verify ${runId}`;
  return (await isOwnLoop(api, runId))
    ? `It takes turns from here: POST /v1/runs/${runId}/turns`
    : `It goes on by itself: npx palimpsest events ${runId} --follow`;
}

async function isOwnLoop(api: PalimpsestApi, runId: string): Promise<boolean> {
  return (await api.readRun(runId)).workflowId === EXTERNAL_WORKFLOW;
}

const POLL_MS = 100;

/**
 * A fork is answered before its events are there; this waits for those of a replay. `status` is the run's by then. One that
 * diverges ends before its source did, and one of an executed run that was cancelled repeats less: it goes on by itself.
 */
export async function completeFork(api: PalimpsestApi, runId: string, body: ForkBody): Promise<ForkAnswer> {
  const source = await api.readRun(runId);
  const fork = await api.fork(runId, body);
  const isCutShort = source.status === 'cancelled' && source.workflowId !== EXTERNAL_WORKFLOW;
  for (;;) {
    const { status, lastSequence } = await api.readRun(fork.runId);
    const isComplete = lastSequence >= source.lastSequence || isTerminalStatus(status);
    if (body.mode === 'branch' || isCutShort || isComplete) return { ...fork, status };
    await pause(POLL_MS);
  }
}
