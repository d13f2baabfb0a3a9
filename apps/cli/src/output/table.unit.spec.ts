import { rowLine, tableLines, type Column } from './table.js';

const COLUMNS: Column[] = [
  { title: 'run' },
  { title: 'note', flexible: true, dropFirst: 2 },
  { title: 'turns', right: true, dropFirst: 1 },
  { title: 'fed', right: true },
];
const ROWS = [
  ['run_1', 'a note that is rather long', '12', '1,234'],
  ['run_22', 'short', '3', '9'],
];

describe('tableLines', () => {
  it('aligns texts left and numbers right, and leaves no blanks at the ends', () => {
    expect(tableLines(COLUMNS, ROWS)).toEqual([
      'run     note                        turns    fed',
      'run_1   a note that is rather long     12  1,234',
      'run_22  short                           3      9',
    ]);
  });

  it('cuts the flexible column where the terminal is narrow', () => {
    expect(tableLines(COLUMNS, ROWS, 42)).toEqual([
      'run     note                  turns    fed',
      'run_1   a note that is rath…     12  1,234',
      'run_22  short                     3      9',
    ]);
  });

  it('drops columns in their order where that is not enough, and never the others', () => {
    expect(tableLines(COLUMNS, ROWS, 35)[1]).toBe('run_1   a note that is rath…  1,234');
    expect(tableLines(COLUMNS, ROWS, 5)[1]).toBe('run_1   1,234');
  });

  it('writes the titles of an empty table', () => {
    expect(tableLines(COLUMNS, [])).toEqual(['run  note  turns  fed']);
  });
});

describe('rowLine', () => {
  it('keeps to widths that are given', () => {
    expect(rowLine(COLUMNS, [6, 4, 5, 5], ['run_1', 'notes', '3', '44'])).toBe('run_1   not…      3     44');
  });
});
