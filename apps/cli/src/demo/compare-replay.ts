import type { AnswerOf } from '@palimpsest/client';
import type { PalimpsestApi, WindowDocument } from '../client/palimpsest-api.js';
import { completeFork } from '../runs/fork-run.js';

type Verification = AnswerOf<'verifyRun'>;

export type ReplayComparison = {
  readonly forkId: string;
  /** Windows of both runs read over HTTP and compared byte for byte. */
  readonly windowsCompared: number;
  readonly windowsDiffering: number;
  readonly source: Verification;
  readonly fork: Verification;
  /** Nothing differs, by any of the measures. */
  readonly equal: boolean;
};

/** Replays a run, verifies both, and reads the windows of both to see for itself. */
export async function compareReplay(
  api: PalimpsestApi,
  runId: string,
  windows: number,
): Promise<ReplayComparison> {
  const { runId: forkId } = await completeFork(api, runId, { mode: 'replay', fromSeq: 0 });
  const [source, fork] = [await api.verify(runId), await api.verify(forkId)];
  let windowsDiffering = 0;
  for (let iteration = 1; iteration <= windows; iteration += 1) {
    const [recorded, replayed] = await Promise.all([
      api.readWindow(runId, iteration),
      api.readWindow(forkId, iteration),
    ]);
    if (fedBytes(recorded) !== fedBytes(replayed)) windowsDiffering += 1;
  }
  const equal =
    windowsDiffering === 0 &&
    source.ok &&
    fork.ok &&
    fork.summarizerCalls === 0 &&
    fork.windowsChecked === windows &&
    fork.comparedWith?.windows === windows &&
    source.windowsDigest === fork.windowsDigest;
  return { forkId, windowsCompared: windows, windowsDiffering, source, fork, equal };
}

/** What the model gets and how it is counted; ids are each run's own. */
function fedBytes({ entries, messages, tokenCount }: WindowDocument): string {
  return JSON.stringify([
    tokenCount,
    entries.map(({ kind, form, tokens, rendered }) => [kind, form, tokens, rendered]),
    messages,
  ]);
}
