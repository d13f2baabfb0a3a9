import type { PalimpsestApi } from '../client/palimpsest-api.js';
import type { ImportedRun } from '../import/run-conversation.js';
import type { Palette } from '../output/palette.js';
import { clip, count, percent, plural, printable, wrap } from '../output/text.js';
import { groupTurns } from '../transcripts/group-turns.js';
import type { Conversation } from '../transcripts/transcript.js';
import type { ReplayComparison } from './compare-replay.js';

export function openingLines({ messages }: Conversation, budget: number): string[] {
  const turns = groupTurns(messages, 'turn').length;
  return [
    'An agent works through an incident: examples/incident-session.jsonl,',
    `${plural(messages.length, 'message')} in ${plural(turns, 'turn')}, with large tool results. Before each answer of the`,
    `agent's model Palimpsest is asked what to send: never more than ${count(budget)} tokens.`,
    '',
  ];
}

export function totalLines(
  { totals, context, violations, refusal }: ImportedRun,
  colours: Palette,
): string[] {
  const { bold, green, red } = colours;
  const { unboundedTokens: unbounded, fedTokens: fed } = totals;
  const notResent = unbounded - fed;
  const budget = count(context.transcriptTokenBudget);
  const verdict =
    violations.length > 0
      ? red(`${plural(violations.length, 'violation')}: ${violations[0]}`)
      : green(
          `every window within ${budget} tokens (largest ${count(totals.largestWindow)}), all legal to send`,
        );
  return [
    '',
    `whole transcript each time  ${count(unbounded).padStart(10)} tokens`,
    `windows fed                 ${count(fed).padStart(10)} tokens`,
    bold(
      `not re-sent                 ${count(notResent).padStart(10)} tokens  (${percent(notResent, unbounded)})`,
    ),
    '',
    `${plural(totals.windows, 'window')}, ${plural(totals.summaries, 'summary', 'summaries')}`,
    verdict,
    ...(refusal ? [red(`The server refused: ${refusal.message} (${refusal.code})`)] : []),
  ];
}

const EXCERPT_LINES = 6;
const EXCERPT_WIDTH = 74;

/** What stands for the turns that are no longer sent, in the last window. */
export async function summaryLines(
  api: PalimpsestApi,
  { runId, totals }: ImportedRun,
  { dim }: Palette,
): Promise<string[]> {
  if (totals.summaries === 0) return [];
  const window = await api.readWindow(runId, totals.windows);
  const summary = window.entries.find(({ kind }) => kind === 'summary');
  if (!summary) return [];
  const replaced = (window.fates ?? [])
    .filter(({ fate }) => fate === 'summarized')
    .reduce((total, { events }) => total + events, 0);
  return [
    '',
    `In the last window a summary of ${plural(summary.tokens, 'token')} stands for ${plural(replaced, 'message')}. From it:`,
    ...excerptOf(summary.rendered).map((line) => dim(`  │ ${line}`)),
  ];
}

/** Some of what it keeps, without the label and the brackets around it. */
function excerptOf(rendered: string): string[] {
  const text = printable(rendered).split('\n').slice(1, -2).join('\n');
  const lines = wrap(text, EXCERPT_WIDTH);
  return lines.length <= EXCERPT_LINES ? lines : [...lines.slice(0, EXCERPT_LINES - 1), '…'];
}

export function replayLines(comparison: ReplayComparison, { bold, green, red }: Palette): string[] {
  const { windowsCompared, windowsDiffering, source, fork } = comparison;
  const paint = comparison.equal ? green : red;
  const difference = fork.firstDifference ?? source.firstDifference;
  return [
    '',
    bold('The same run, replayed from its log, without a model and without a summarizer:'),
    '',
    paint(`windows compared: ${count(windowsCompared)}, differing: ${count(windowsDiffering)}`),
    `  read over HTTP from both runs, byte for byte`,
    paint(`summarizer calls: ${count(fork.summarizerCalls)}`),
    `  asked for by the replay; its source asked for ${count(source.summarizerCalls)}`,
    paint(`digests of all windows: ${source.windowsDigest === fork.windowsDigest ? 'equal' : 'different'}`),
    `  source ${clip(source.windowsDigest, 20)}  replay ${clip(fork.windowsDigest, 20)}`,
    `verified: source ${source.ok ? 'yes' : 'NO'}, replay ${fork.ok ? 'yes' : 'NO'}` +
      (difference ? ` (first difference: ${difference.what})` : ''),
  ];
}

export function closingLines(passed: boolean, { bold, red }: Palette): string[] {
  if (!passed) return ['', red('The demo failed: see above.')];
  return [
    '',
    bold('What to try next'),
    '  npx palimpsest start                    run the services here: API docs, a key',
    '  npx palimpsest import <your>.jsonl --budget 4000     your own transcript',
    '  npx palimpsest window <run> --why       what a model was sent, and why',
  ];
}
