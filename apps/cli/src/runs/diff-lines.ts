import type { RunDiff } from '../client/palimpsest-api.js';
import type { Palette } from '../output/palette.js';
import type { Column } from '../output/table.js';
import { count, percent, plural, printable } from '../output/text.js';

type ComparedRun = RunDiff['run'];
type WindowPair = RunDiff['windows'][number];
type Divergence = NonNullable<RunDiff['firstDivergence']>;

/** The two runs are 1 and 2 below their first lines, as their ids would fill a table. */
export const DIFF_COLUMNS: readonly Column[] = [
  { title: 'window', right: true },
  { title: 'texts' },
  { title: '1 fed', right: true },
  { title: '1 unbounded', right: true, dropFirst: 2 },
  { title: '1 summaries', right: true, dropFirst: 1 },
  { title: '2 fed', right: true },
  { title: '2 unbounded', right: true, dropFirst: 2 },
  { title: '2 summaries', right: true, dropFirst: 1 },
];

export function windowRow({ iteration, identical, run, other }: WindowPair): string[] {
  const texts = identical ? 'same' : run && other ? 'differ' : `only ${run ? '1' : '2'}`;
  return [count(iteration), texts, ...[run, other].flatMap(sideCells)];
}

function sideCells(side: WindowPair['run']): string[] {
  return side ? [side.fedTokens, side.unboundedTokens, side.summaries].map(count) : ['–', '–', '–'];
}

export function headLines(diff: RunDiff, { green, red }: Palette): string[] {
  const { identical, firstDivergence } = diff;
  return [
    runLine('1', diff.run),
    runLine('2', diff.other),
    relationLine(diff),
    identical ? green('identical: no event differs in anything but ids and times') : red('the runs differ'),
    ...(firstDivergence ? [`first divergence: ${divergenceText(firstDivergence)}`] : []),
  ];
}

function runLine(name: string, run: ComparedRun): string {
  const { origin } = run;
  const from = origin ? `, ${origin.mode} of ${origin.runId} at ${origin.fromSequence}` : '';
  const facts = [
    plural(run.events, 'event'),
    plural(run.windows, 'window'),
    plural(run.summaries, 'summary', 'summaries'),
  ];
  return `${name}  ${run.runId}  ${run.status}, ${printable(run.workflowId)}: ${facts.join(', ')}${from}`;
}

function relationLine({ relation: { kind, ancestorRunId, sharedEvents }, run, other }: RunDiff): string {
  const shared = `${plural(sharedEvents, 'event')} shared`;
  switch (kind) {
    case 'same':
      return `${run.runId} is compared with itself`;
    case 'fork':
      return `1 comes from 2: ${shared}`;
    case 'source':
      return `2 comes from 1: ${shared}`;
    case 'siblings':
      return `both come from ${ancestorRunId ?? other.runId}: ${shared}`;
    case 'unrelated':
      return 'neither comes from the other';
  }
}

function divergenceText(divergence: Divergence): string {
  const { sequence, iteration } = divergence;
  const before = iteration === undefined ? '' : `, before window ${count(iteration)}`;
  return `event ${sequence}, ${differenceText(divergence)}${before}`;
}

function differenceText({ part, run, other }: Divergence): string {
  const [one, two] = [eventText(run), eventText(other)];
  if (part === 'end') return run ? `${one} in 1 where 2 ends` : `${two} in 2 where 1 ends`;
  return one === two ? `another ${part} of ${one}` : `${one} in 1, ${two} in 2`;
}

function eventText(event: Divergence['run']): string {
  if (!event) return 'nothing';
  return printable(event.nodeId === undefined ? event.type : `${event.type} of ${event.nodeId}`);
}

export function tokenLines(diff: RunDiff): string[] {
  const { run, other } = diff;
  if (run.windows === 0 && other.windows === 0) return ['neither has a window'];
  return [sumLine('1', run), sumLine('2', other), savedLine(diff)];
}

/** Of the windows that both have: a run that went on further would else have fed more for that alone. */
function savedLine({ run, other, fedTokensSaved: saved, comparedIterations: compared }: RunDiff): string {
  if (saved === null || !compared)
    return run.windows === 0 || other.windows === 0
      ? 'no window is in both: nothing is compared'
      : 'they count in different units: their sums are not compared';
  const { from, to } = compared;
  const inBoth = from === to ? `in window ${count(from)}` : `in windows ${count(from)} to ${count(to)}`;
  const between = `1 fed ${count(Math.abs(saved))} ${saved < 0 ? 'more' : 'less'} than 2`;
  return `${inBoth}, which both have, ${saved === 0 ? 'both fed as much' : between}`;
}

function sumLine(name: string, { tokens, tokenCounter }: ComparedRun): string {
  const { fedTokens, unboundedTokens, notResentTokens } = tokens;
  if (tokenCounter === undefined) return `${name} has no window`;
  return (
    `${name} fed ${count(fedTokens)} instead of ${count(unboundedTokens)} ${tokenCounter}: ` +
    `${count(notResentTokens)} (${percent(notResentTokens, unboundedTokens)}) not re-sent`
  );
}
