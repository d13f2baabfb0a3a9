import { setTimeout as pause } from 'node:timers/promises';
import type { ForkAnswer, ForkBody, PalimpsestApi } from '../client/palimpsest-api.js';
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
  output.note(
    fork.mode === 'replay'
      ? `Compare it with its source: npx palimpsest verify ${fork.runId}`
      : `It takes turns from here: POST /v1/runs/${fork.runId}/turns`,
  );
}

const POLL_MS = 100;

/** A fork is answered before its events are there; this waits for those of a replay. `status` is the run's by then. */
export async function completeFork(api: PalimpsestApi, runId: string, body: ForkBody): Promise<ForkAnswer> {
  const source = await api.readRun(runId);
  const fork = await api.fork(runId, body);
  for (;;) {
    const { status, lastSequence } = await api.readRun(fork.runId);
    if (body.mode === 'branch' || lastSequence >= source.lastSequence) return { ...fork, status };
    await pause(POLL_MS);
  }
}
