import type { MessageContent } from '@palimpsest/contracts';
import { argumentValues, standsIn } from './argument-values.js';
import { DropOldest } from './drop-oldest.js';
import { emptyTally, measureSession, turnsOf } from './measure-session.js';
import { PlannedWindows } from './planned-windows.js';

function call(id: string, args: object): MessageContent {
  return { role: 'assistant', text: '', toolCalls: [{ id, name: 'look', arguments: JSON.stringify(args) }] };
}

const result = (toolCallId: string, text: string): MessageContent => ({ role: 'tool', text, toolCallId });
const user = (text: string): MessageContent => ({ role: 'user', text });

/** The order is named once, at the beginning, and needed at the end. */
const session: MessageContent[] = [
  { role: 'system', text: 'never counted' },
  user('My order is ZX-88121, please look.'),
  ...Array.from({ length: 12 }, (_, index) => [
    call(`c${index}`, { page: `list-of-${index}` }),
    result(`c${index}`, `${'nothing of note on this page '.repeat(12)}`),
  ]).flat(),
  call('last', { order: 'ZX-88121', amount: 77 }),
];

describe('the measure of fidelity', () => {
  it('takes every string and number of the arguments', () => {
    expect(argumentValues(call('c', { a: 'x', b: [1, { c: 'y' }], d: true, e: '', f: null }))).toEqual([
      'x',
      '1',
      'y',
    ]);
    expect(
      argumentValues({ ...call('c', {}), toolCalls: [{ id: 'c', name: 'n', arguments: 'no json' }] }),
    ).toEqual([]);
  });

  it.each([
    ['total 7 EUR', '7', true],
    ['total 17 EUR', '7', false],
    ['a_7', '7', false],
    ['(7)', '7', true],
    ['ab cd', 'b c', false],
    ['x/y.ts', '/y', true],
  ])('in %j, %j stands as a whole word: %j', (text, value, expected) => {
    expect(standsIn(text, value)).toBe(expected);
  });

  it('keeps a call with its results and leaves system messages out', () => {
    expect(turnsOf(session)).toHaveLength(14);
  });

  it('counts what dropping the oldest turns loses, and what a summary keeps', async () => {
    const dropping = emptyTally();
    await measureSession(session, new DropOldest(400, 'o200k_base'), dropping);
    expect(dropping).toMatchObject({ values: 1, kept: 0 });
    const planned = await PlannedWindows.start({
      transcriptTokenBudget: 400,
      tokenCounter: 'o200k_base',
      keepLastTurns: 1,
      strategy: 'sliding-window',
    });
    const ours = emptyTally();
    await measureSession(session, planned, ours);
    await planned.close();
    expect(ours).toMatchObject({ values: 1, kept: 1, longKept: 1 });
  });
});
