import { clip } from './text.js';

export type Column = {
  readonly title: string;
  /** Numbers stand right. */
  readonly right?: boolean;
  /** Where the table is too wide, columns go in this order, smallest first; without it a column stays. */
  readonly dropFirst?: number;
  /** Takes what the others leave, and is cut to it. */
  readonly flexible?: boolean;
};

const GAP = '  ';

/** Lines of an aligned table: titles, then a line for each row. `width`: columns of the terminal, if it is one. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width?: number,
): string[] {
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const shown = shownColumns(columns, widths, width);
  const fitted = fitFlexible(columns, { widths, shown }, width);
  return [columns.map(({ title }) => title), ...rows].map((row) =>
    rowLine(
      shown.map((index) => columns[index] as Column),
      shown.map((index) => fitted[index] ?? 0),
      shown.map((index) => row[index] ?? ''),
    ),
  );
}

/** One line of a table whose widths are known beforehand, for rows that are written as they come. */
export function rowLine(
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly string[],
): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      const text = clip(cell, Math.max(width, 1));
      return columns[index]?.right ? text.padStart(width) : text.padEnd(width);
    })
    .join(GAP)
    .trimEnd();
}

const FLEXIBLE_LEAST = 16;

function shownColumns(
  columns: readonly Column[],
  widths: readonly number[],
  width: number | undefined,
): number[] {
  const all = columns.map((_, index) => index);
  if (width === undefined) return all;
  const least = (index: number): number =>
    columns[index]?.flexible ? Math.min(FLEXIBLE_LEAST, widths[index] ?? 0) : (widths[index] ?? 0);
  const needed = (shown: readonly number[]): number =>
    shown.reduce((sum, index) => sum + least(index) + GAP.length, -GAP.length);
  const droppable = all
    .filter((index) => columns[index]?.dropFirst !== undefined)
    .sort((left, right) => (columns[left]?.dropFirst ?? 0) - (columns[right]?.dropFirst ?? 0));
  let shown = all;
  for (const drop of droppable) {
    if (needed(shown) <= width) break;
    shown = shown.filter((index) => index !== drop);
  }
  return shown;
}

function fitFlexible(
  columns: readonly Column[],
  { widths, shown }: { readonly widths: readonly number[]; readonly shown: readonly number[] },
  width: number | undefined,
): readonly number[] {
  const flexible = shown.find((index) => columns[index]?.flexible);
  if (width === undefined || flexible === undefined) return widths;
  const others = shown.filter((index) => index !== flexible);
  const taken = others.reduce((sum, index) => sum + (widths[index] ?? 0) + GAP.length, 0);
  return widths.map((value, index) =>
    index === flexible ? Math.max(Math.min(value, width - taken), Math.min(value, FLEXIBLE_LEAST)) : value,
  );
}
