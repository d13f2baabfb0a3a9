import { differences, lineDifferences } from './printed.js';

describe('what the document says against what was answered', () => {
  it.each([
    ['the same', { a: 1, b: ['x', null, true] }, { b: ['x', null, true], a: 1 }],
    ['an id', { runId: 'run_…' }, { runId: 'run_abc' }],
    ['a text with a mark within', { url: '/v1/runs/run_…/events' }, { url: '/v1/runs/run_a/events' }],
    ['members left out', { a: 1, '…': '…' }, { a: 1, b: 2 }],
    ['members left out, and none there', { a: 1, '…': '…' }, { a: 1 }],
    ['items left out', ['a', '…'], ['a', 'b', 'c']],
    ['text that looks like a pattern', 'a.b (c)…', 'a.b (c)!'],
  ])('accepts %s', (_name, documented, actual) => {
    expect(differences(documented, actual)).toEqual([]);
  });

  it.each([
    ['another number', { a: 1 }, { a: 2 }, '$.a: 1 is documented, 2 was answered'],
    ['another type', { a: '1' }, { a: 1 }, '$.a: "1" is documented, 1 was answered'],
    ['nothing where the mark is', 'run_…', 'run_', '$: "run_…" is documented, "run_" was answered'],
    ['a mark for another type', { a: '…' }, { a: 1 }, '$.a: "…" is documented, 1 was answered'],
    ['text that goes on', 'a', 'ab', '$: "a" is documented, "ab" was answered'],
    ['a pattern taken literally', 'a.c', 'abc', '$: "a.c" is documented, "abc" was answered'],
    ['a missing member', { a: 1 }, {}, '$.a: is documented and was not answered'],
    ['a further member', {}, { a: 1 }, '$.a: was answered and is not documented'],
    ['an inherited member', { toString: '…' }, {}, '$.toString: is documented and was not answered'],
    ['a further item', [1], [1, 2], '$: 1 items are documented, 2 were answered'],
    ['a missing item', [1, 2, '…'], [1], '$: 2 items are documented, 1 were answered'],
    ['a list for an object', {}, [], '$: {} is documented, [] was answered'],
    ['null for an object', {}, null, '$: {} is documented, null was answered'],
    ['an object for a list', [], {}, '$: [] is documented, {} was answered'],
    ['nothing', { a: null }, { a: undefined }, '$.a: null is documented, nothing was answered'],
  ])('refuses %s', (_name, documented, actual, difference) => {
    expect(differences(documented, actual)).toEqual([difference]);
  });

  it('compares frames of an event stream by what they hold', () => {
    const documented = ':keepalive\n\nid: 2\nevent: run.completed\ndata: { "sequence": 2, "…": "…" }\n';
    const frame = (sequence: number): string =>
      `:keepalive\n\nid: 2\nevent: run.completed\ndata: {"runId":"run_a","sequence":${sequence}}\n\n\n`;

    expect(lineDifferences(documented, frame(2))).toEqual([]);
    expect(lineDifferences(documented, frame(3))).toEqual([
      'lines[3].data.sequence: 2 is documented, 3 was answered',
    ]);
    expect(lineDifferences('304\n…: gzip', '304\r\ncontent-encoding: gzip\r\n')).toEqual([]);
  });
});
