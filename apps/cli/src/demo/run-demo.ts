import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ApiError } from '@palimpsest/client';
import type { ContextRequest, PalimpsestApi } from '../client/palimpsest-api.js';
import { runConversation, type ImportedRun } from '../import/run-conversation.js';
import type { Output } from '../output/output.js';
import { count } from '../output/text.js';
import { CliError, EXIT, type ExitCode } from '../program/cli-error.js';
import type { Session } from '../program/session.js';
import { parseTranscripts } from '../transcripts/parse-transcripts.js';
import type { Conversation } from '../transcripts/transcript.js';
import { compareReplay, type ReplayComparison } from './compare-replay.js';
import { closingLines, openingLines, replayLines, summaryLines, totalLines } from './demo-texts.js';
import { IterationTable } from './iteration-table.js';
import { withServices } from './with-services.js';

export type DemoOptions = { readonly budget: number; readonly json?: boolean; readonly loop?: boolean };

const EXAMPLE = fileURLToPath(new URL('../../../../examples/incident-session.jsonl', import.meta.url));

type DemoRun = { readonly api: PalimpsestApi; readonly output: Output; readonly context: ContextRequest };

/** `palimpsest demo`: the whole path of one run, on servers that are gone afterwards. */
export async function runDemo(options: DemoOptions, session: Session): Promise<ExitCode> {
  const { output } = session;
  const conversation = await readExample();
  if (options.loop) return runLoop(options, conversation, session);
  const context: ContextRequest = { transcriptTokenBudget: options.budget, tokenCounter: 'o200k_base' };
  if (!options.json) output.lines(openingLines(conversation, options.budget));
  return withServices(session, async (api) => {
    const run = { api, context, output: options.json ? quiet(output) : output };
    const imported = await importExample(run, conversation);
    const comparison = await replayAndCompare(run, imported);
    const passed = imported.violations.length === 0 && !imported.refusal && comparison.equal;
    if (options.json) output.json({ ...imported, replay: comparison, passed });
    else output.lines(closingLines(passed, output.colours));
    return passed ? EXIT.done : EXIT.negative;
  });
}

async function runLoop(
  { budget, json = false }: DemoOptions,
  conversation: Conversation,
  session: Session,
): Promise<ExitCode> {
  const { runLoopDemo } = await import('./loop/run-loop-demo.js');
  const output = json ? quiet(session.output) : session.output;
  return runLoopDemo({ budget, json, conversation, output }, session).catch((error: unknown) => {
    throw budgetFailure(error);
  });
}

/** With `--json` the tables are not drawn. */
function quiet(output: Output): Output {
  return Object.assign(Object.create(output) as Output, {
    line: () => undefined,
    lines: () => undefined,
    live: () => undefined,
  });
}

async function readExample(): Promise<Conversation> {
  const text = await readFile(EXAMPLE, 'utf8');
  const [conversation] = parseTranscripts(text, 'incident-session.jsonl').conversations;
  if (conversation) return conversation;
  throw new CliError('the example transcript cannot be read', { code: 'bad_example', exitCode: EXIT.usage });
}

async function importExample(
  { api, context, output }: DemoRun,
  conversation: Conversation,
): Promise<ImportedRun> {
  const table = new IterationTable(output);
  const imported = await runConversation(api, conversation, {
    context,
    every: 'turn',
    source: 'incident-session.jsonl',
    finish: true,
    onWindow: (progress) => table.add(progress),
  }).catch((error: unknown) => {
    throw budgetFailure(error);
  });
  table.end();
  output.lines(totalLines(imported, output.colours));
  output.lines(await summaryLines(api, imported, output.colours));
  return imported;
}

/** The demo has no other setting than its budget. */
function budgetFailure(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'context_budget_infeasible') return error;
  const least = error.details['minimumBudget'];
  return new CliError(error.message, {
    code: error.code,
    exitCode: EXIT.server,
    hint: typeof least === 'number' ? `Raise --budget, to ${least} at least.` : 'Raise --budget.',
    cause: error,
  });
}

async function replayAndCompare(
  { api, output }: DemoRun,
  { runId, totals }: ImportedRun,
): Promise<ReplayComparison> {
  output.live(`Replaying ${count(totals.windows)} windows …`);
  const comparison = await compareReplay(api, runId, totals.windows);
  output.lines(replayLines(comparison, output.colours));
  return comparison;
}
