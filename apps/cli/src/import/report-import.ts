import type { Output } from '../output/output.js';
import { tableLines, type Column } from '../output/table.js';
import { count, percent, plural } from '../output/text.js';
import type { ImportResult } from './import-file.js';
import type { ImportedRun, ImportRefusal } from './run-conversation.js';

const COLUMNS: readonly Column[] = [
  { title: 'run' },
  { title: 'conversation', dropFirst: 2, flexible: true },
  { title: 'turns', right: true, dropFirst: 1 },
  { title: 'windows', right: true, dropFirst: 4 },
  { title: 'unbounded', right: true },
  { title: 'fed', right: true },
  { title: 'not re-sent', right: true },
  { title: 'summaries', right: true, dropFirst: 5 },
  { title: 'largest', right: true, dropFirst: 3 },
];

/** The runs made, what they cost, and what went wrong. */
export function reportImport(result: ImportResult, json: boolean, output: Output): void {
  if (json) return output.json(documentOf(result));
  const { runs, problems } = result;
  if (runs.length > 0) {
    output.lines(tableLines(COLUMNS, runs.map(rowOf), output.width));
    output.line();
    output.lines(totalLines(runs));
  }
  const refused = problems.length + runs.filter(({ refusal }) => refusal).length;
  if (refused > 0) output.line(`${plural(refused, 'conversation')} refused, see below`);
  for (const { label, line, problem } of problems) output.note(`${label}, line ${line}: ${problem}`);
  for (const { label, refusal, violations } of runs) {
    if (refusal) output.note(`${label}, ${refusalText(refusal)}`);
    for (const violation of violations) output.note(`${label}: ${violation}`);
  }
}

function rowOf({ runId, label, turns, totals }: ImportedRun): string[] {
  return [
    runId,
    label,
    count(turns),
    count(totals.windows),
    count(totals.unboundedTokens),
    count(totals.fedTokens),
    count(totals.unboundedTokens - totals.fedTokens),
    count(totals.summaries),
    count(totals.largestWindow),
  ];
}

function totalLines(runs: readonly ImportedRun[]): string[] {
  const sum = (of: (totals: ImportedRun['totals']) => number): number =>
    runs.reduce((total, { totals }) => total + of(totals), 0);
  const [unbounded, fed] = [sum((totals) => totals.unboundedTokens), sum((totals) => totals.fedTokens)];
  const context = runs[0]?.context;
  const unit = context?.tokenCounter === 'chars' ? 'characters' : `tokens (${context?.tokenCounter})`;
  const broken = runs.reduce((total, { violations }) => total + violations.length, 0);
  return [
    `${plural(runs.length, 'run')}, ${plural(
      sum((totals) => totals.windows),
      'window',
    )} within a budget of ${count(context?.transcriptTokenBudget ?? 0)}: ` +
      (broken === 0 ? 'all legal, none above it' : `${plural(broken, 'violation')}, see below`),
    `fed ${count(fed)} ${unit} instead of ${count(unbounded)}: ` +
      `${count(unbounded - fed)} (${percent(unbounded - fed, unbounded)}) not re-sent`,
  ];
}

function refusalText({ line, messages: [first, last], code, message }: ImportRefusal): string {
  const place = first === last ? `message ${first}` : `messages ${first} to ${last}`;
  return `line ${line}, ${place}: ${message} (${code})`;
}

function documentOf({ runs, problems }: ImportResult): object {
  return {
    runs: runs.map(({ totals, ...run }) => ({
      ...run,
      ...totals,
      notResentTokens: totals.unboundedTokens - totals.fedTokens,
    })),
    problems,
  };
}
