import type { AnswerOf } from '@palimpsest/client';
import { tableLines, type Column } from '../output/table.js';
import { count, percent, plural } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';

type UsageRow = AnswerOf<'readUsage'>['iterations'][number];

const COLUMNS: readonly Column[] = [
  { title: 'window', right: true },
  { title: 'messages', right: true },
  { title: 'unbounded', right: true },
  { title: 'fed', right: true },
  { title: 'not re-sent', right: true },
  { title: 'new summaries', right: true },
];

/** `palimpsest usage <run>` */
export async function showUsage(runId: string, options: CommonOptions, session: Session): Promise<void> {
  const { output } = session;
  const usage = await (await session.api(options)).readUsage(runId);
  if (options.json) return output.json(usage);
  const { total, iterations, nextIteration } = usage;
  output.lines(tableLines(COLUMNS, iterations.map(rowOf), output.width));
  if (nextIteration !== undefined) output.line(`… from window ${nextIteration} on not listed`);
  output.line();
  output.line(
    `fed ${count(total.fedTokens)} instead of ${count(total.unboundedTokens)}: ` +
      `${count(total.notResentTokens)} (${percent(total.notResentTokens, total.unboundedTokens)}) not re-sent, ` +
      plural(total.summaries, 'summary', 'summaries'),
  );
}

function rowOf(row: UsageRow): string[] {
  return [
    row.iteration,
    row.messages,
    row.unboundedTokens,
    row.fedTokens,
    row.notResentTokens,
    row.summaries,
  ].map(count);
}
