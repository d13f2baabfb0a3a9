import type { Row } from './bench-group.js';

const COLUMNS = ['group', 'case', 'value', 'unit', 'ratio', 'baseline', 'target'] as const;
const NUMERIC = new Set<string>(['value', 'ratio']);

export function renderTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => COLUMNS.map((column) => cellOf(row[column])));
  const widths = COLUMNS.map((column, at) =>
    Math.max(column.length, ...cells.map((line) => line[at]!.length)),
  );
  const render = (line: readonly string[]): string =>
    line
      .map((cell, at) => (NUMERIC.has(COLUMNS[at]!) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd();
  return [render(COLUMNS), render(widths.map((width) => '-'.repeat(width))), ...cells.map(render)].join('\n');
}

function cellOf(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return value.toFixed(Math.abs(value) < 100 ? 2 : 0);
}
