import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PalimpsestApi } from '../../client/palimpsest-api.js';
import type { Output } from '../../output/output.js';
import { EXIT, type ExitCode } from '../../program/cli-error.js';
import type { Session } from '../../program/session.js';
import type { Conversation } from '../../transcripts/transcript.js';
import { compareReplay } from '../compare-replay.js';
import { closingLines, replayLines } from '../demo-texts.js';
import { withServices } from '../with-services.js';
import { openDemoModel, type DemoModel } from './demo-model.js';
import { keptPrefix } from './kept-prefix.js';
import { LOOP_WORKFLOW, reportersOf, writeLoopDefinitions } from './loop-definitions.js';
import { LoopFailedError } from './loop-failed-error.js';
import { LoopProgress, type LoopUsage } from './loop-progress.js';
import { LoopTable } from './loop-table.js';
import { loopOpening, loopTotalLines, replayCallLine, totalsOf, type ReplayCalls } from './loop-texts.js';

export type LoopDemo = {
  readonly budget: number;
  readonly json: boolean;
  readonly conversation: Conversation;
  /** Where tables and texts go. */
  readonly output: Output;
};

/** `palimpsest demo --loop`: a loop that a model decides, from its first turn to its replay. */
export async function runLoopDemo(demo: LoopDemo, session: Session): Promise<ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-demo-loop-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  const reporters = reportersOf(demo.conversation);
  writeLoopDefinitions(folder, reporters);
  const model = await openDemoModel(session.environment, reporters);
  try {
    demo.output.lines(loopOpening(model, reporters.length, demo.budget));
    const variables = { ...model.variables, ...loopVariables(demo.budget), PALIMPSEST_WORKFLOWS_DIR: folder };
    return await withServices(session, (api) => showLoop({ ...demo, api, model }, session), variables);
  } finally {
    await model.close();
    remove();
  }
}

/** The bundled model plays a part: nothing of this is advertised as a budget that is kept. */
function loopVariables(budget: number): Readonly<Record<string, string>> {
  return { PALIMPSEST_DEFAULT_BUDGET: String(budget), PALIMPSEST_DEFAULT_COUNTER: 'o200k_base' };
}

type Shown = LoopDemo & { readonly api: PalimpsestApi; readonly model: DemoModel };

async function showLoop(shown: Shown, { output: answers }: Session): Promise<ExitCode> {
  const { api, budget, output, model, json } = shown;
  const { runId, progress } = await followLoop(shown);
  const { turns, total: usage, failure } = progress;
  // A run that failed shows nothing of what the rest of the demo is about.
  if (failure) throw new LoopFailedError(failure, { model, turn: turns.length + 1 });
  const prefix = await keptPrefix(api, runId, turns.length);
  output.lines(loopTotalLines({ turns, usage, prefix, budget, model }, output.colours));
  const before = model.requests();
  output.live(`Replaying ${turns.length} turns …`);
  const replay = await compareReplay(api, runId, turns.length);
  const calls = await replayCalls(shown, { before, forkId: replay.forkId, usage });
  const [title = '', heading = '', ...rest] = replayLines(replay, output.colours);
  output.lines([title, heading, '', replayCallLine(calls, output.colours), ...rest.slice(1)]);
  const totals = totalsOf(turns);
  const passed = replay.equal && calls.calls === 0 && totals.largestWindow <= budget;
  if (json) {
    const { name, isBundled } = model;
    answers.json({
      runId,
      model: { name, isBundled },
      turns,
      totals,
      usage,
      prefix,
      replay,
      calls,
      passed,
    });
  } else output.lines(closingLines(passed, output.colours));
  return passed ? EXIT.done : EXIT.negative;
}

async function followLoop({ api, output }: Shown): Promise<{ runId: string; progress: LoopProgress }> {
  const { runId } = await api.startRun(LOOP_WORKFLOW);
  const progress = new LoopProgress();
  const table = new LoopTable(output);
  for await (const event of api.followEvents(runId)) {
    const turn = progress.see(event);
    if (turn) table.add(turn);
  }
  return { runId, progress };
}

type BeforeReplay = {
  readonly before: number | undefined;
  readonly forkId: string;
  readonly usage: LoopUsage;
};

/** What only a provider could count shows in the log: a call has an event, and the replay has those of its source. */
async function replayCalls(
  { api, model }: Shown,
  { before, forkId, usage }: BeforeReplay,
): Promise<ReplayCalls> {
  const after = model.requests();
  if (before !== undefined && after !== undefined) return { calls: after - before, counted: 'by the server' };
  const events = await api.readEvents(forkId);
  const told = events.filter(({ type }) => type === 'provider.usage').length;
  return { calls: told - usage.calls, counted: 'by new usage events' };
}
