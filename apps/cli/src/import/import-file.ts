import { basename } from 'node:path';
import type { ContextRequest, PalimpsestApi } from '../client/palimpsest-api.js';
import type { Output } from '../output/output.js';
import { count, plural } from '../output/text.js';
import { EXIT, type ExitCode } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';
import type { WindowEvery } from '../transcripts/group-turns.js';
import { parseTranscripts } from '../transcripts/parse-transcripts.js';
import type { Conversation, TranscriptProblem } from '../transcripts/transcript.js';
import { reportImport } from './report-import.js';
import { readSource } from './read-source.js';
import { runConversation, type ImportedRun, type WindowProgress } from './run-conversation.js';

export type ImportOptions = CommonOptions & {
  readonly budget?: number;
  readonly counter?: ContextRequest['tokenCounter'];
  readonly keepLast?: number;
  readonly strategy?: ContextRequest['strategy'];
  readonly transcriptWindow?: number;
  readonly windowEvery: WindowEvery;
  readonly finish?: boolean;
};

export type ImportResult = {
  readonly runs: readonly ImportedRun[];
  readonly problems: readonly TranscriptProblem[];
};

/** `palimpsest import <file>` */
export async function importFile(file: string, options: ImportOptions, session: Session): Promise<ExitCode> {
  const source = file === '-' ? 'stdin' : basename(file);
  const { conversations, problems } = parseTranscripts(await readSource(file), source);
  const api = await session.api(options);
  const runs: ImportedRun[] = [];
  for (const [index, conversation] of conversations.entries()) {
    const at = `[${index + 1}/${conversations.length}]`;
    const run = await importOne(api, conversation, { options, source, at, output: session.output });
    runs.push(run);
    if (!session.output.isLive && !options.json) session.output.note(`${at} ${doneText(run)}`);
  }
  reportImport({ runs, problems }, options.json === true, session.output);
  const failed =
    problems.length > 0 || runs.some(({ refusal, violations }) => refusal || violations.length > 0);
  return failed ? EXIT.negative : EXIT.done;
}

type Place = {
  readonly options: ImportOptions;
  readonly source: string;
  readonly at: string;
  readonly output: Output;
};

function importOne(
  api: PalimpsestApi,
  conversation: Conversation,
  { options, source, at, output }: Place,
): Promise<ImportedRun> {
  output.live(`${at} ${conversation.label}`);
  return runConversation(api, conversation, {
    context: contextOf(options),
    every: options.windowEvery,
    finish: options.finish === true,
    source,
    onWindow: (progress) => output.live(`${at} ${conversation.label}  ${progressText(progress)}`),
  });
}

export function contextOf(options: Omit<ImportOptions, keyof CommonOptions | 'windowEvery'>): ContextRequest {
  const { budget, counter, keepLast, strategy, transcriptWindow } = options;
  return {
    ...(budget !== undefined && { transcriptTokenBudget: budget }),
    ...(counter !== undefined && { tokenCounter: counter }),
    ...(keepLast !== undefined && { keepLastTurns: keepLast }),
    ...(strategy !== undefined && { strategy }),
    ...(transcriptWindow !== undefined && { transcriptWindow }),
  };
}

function progressText({ turns, allTurns, windowTokens, unboundedTokens }: WindowProgress): string {
  return `turn ${turns}/${allTurns}  window ${count(windowTokens)} of ${count(unboundedTokens)}`;
}

function doneText({ label, runId, turns, totals, refusal }: ImportedRun): string {
  const outcome = refusal ? `stopped: ${refusal.code}` : plural(totals.windows, 'window');
  return `${label}  ${runId}  ${plural(turns, 'turn')}, ${outcome}`;
}
