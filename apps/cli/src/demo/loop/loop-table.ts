import type { Output } from '../../output/output.js';
import { rowLine, type Column } from '../../output/table.js';
import { count, percent } from '../../output/text.js';
import type { LoopTurn } from './loop-progress.js';

const COLUMNS: readonly Column[] = [
  { title: 'turn', right: true },
  { title: 'unbounded', right: true },
  { title: 'window tokens', right: true },
  { title: 'summaries', right: true },
  { title: 'cached', right: true },
  { title: 'decision' },
  { title: '' },
];
const WIDTHS = [4, 9, 13, 9, 7, 21, 10];

/** A row for each turn as soon as it is decided. */
export class LoopTable {
  constructor(private readonly output: Output) {}

  add(turn: LoopTurn): void {
    const { bold, cyan } = this.output.colours;
    if (turn.iteration === 1) {
      const titles = COLUMNS.map(({ title }) => title);
      this.output.line(bold(rowLine(COLUMNS, WIDTHS, titles)));
    }
    const row = rowLine(COLUMNS, WIDTHS, cellsOf(turn));
    this.output.line(turn.newSummaries > 0 ? cyan(row) : row);
  }
}

function cellsOf({ usage, decision, newSummaries, ...turn }: LoopTurn): readonly string[] {
  const { cacheRead, input } = usage;
  return [
    ...[turn.iteration, turn.unboundedTokens, turn.windowTokens, turn.summaries].map(count),
    cacheRead === undefined ? '–' : percent(cacheRead, input),
    decision,
    newSummaries > 0 ? 'summarized' : '',
  ];
}
