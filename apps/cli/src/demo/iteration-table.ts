import type { WindowProgress } from '../import/run-conversation.js';
import type { Output } from '../output/output.js';
import { rowLine, type Column } from '../output/table.js';
import { count } from '../output/text.js';

const COLUMNS: readonly Column[] = [
  { title: 'window', right: true },
  { title: 'turns', right: true },
  { title: 'unbounded', right: true },
  { title: 'window tokens', right: true },
  { title: 'summaries', right: true },
  { title: 'not re-sent', right: true },
  { title: '' },
];
const WIDTHS = [6, 5, 9, 13, 9, 11, 11];
const EVERY = 5;

/**
 * A row for a window as soon as it is there: the first, every fifth, each that a summary was recorded for, the
 * last. On a terminal the others pass by on one line.
 */
export class IterationTable {
  #held: WindowProgress | undefined;

  constructor(private readonly output: Output) {}

  #begin(): void {
    this.output.line(this.output.colours.bold(this.#row(COLUMNS.map(({ title }) => title))));
  }

  add(progress: WindowProgress): void {
    const { iteration, newSummaries } = progress;
    if (iteration === 1) this.#begin();
    this.#held = undefined;
    if (iteration === 1 || iteration % EVERY === 0 || newSummaries > 0) return this.#write(progress);
    this.#held = progress;
    this.output.live(this.#cells(progress));
  }

  end(): void {
    if (this.#held) this.#write(this.#held);
    this.#held = undefined;
  }

  #write(progress: WindowProgress): void {
    const { cyan } = this.output.colours;
    this.output.line(progress.newSummaries > 0 ? cyan(this.#cells(progress)) : this.#cells(progress));
  }

  #cells({ iteration, turns, unboundedTokens, windowTokens, newSummaries, totals }: WindowProgress): string {
    const numbers = [iteration, turns, unboundedTokens, windowTokens, totals.summaries];
    const notResent = count(unboundedTokens - windowTokens);
    return this.#row([...numbers.map(count), notResent, newSummaries > 0 ? 'summarized' : '']);
  }

  #row(cells: readonly string[]): string {
    return rowLine(COLUMNS, WIDTHS, cells);
  }
}
