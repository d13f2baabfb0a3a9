import type { JsonObject } from '@palimpsest/contracts';
import { checkMessages } from './check-messages.js';

const user: JsonObject = { role: 'user', content: 'Hi' };
const calls = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
});
const result = (id: string): JsonObject => ({ role: 'tool', content: 'seen', tool_call_id: id });

describe('checkMessages', () => {
  it.each([
    ['nothing', []],
    ['plain turns', [user, { role: 'assistant', content: 'Hello' }]],
    ['parallel calls, results in another order', [user, calls('a', 'b'), result('b'), result('a'), user]],
    ['an id that returns once it is answered', [calls('a'), result('a'), calls('a'), result('a')]],
  ])('finds nothing wrong with %s', (_, messages) => {
    expect(checkMessages(messages)).toBeUndefined();
  });

  it.each([
    ['a result without a call', [user, result('a')], 'message 2 is a tool result without its call before it'],
    [
      'a second result of one call',
      [calls('a'), result('a'), result('a')],
      'message 3 is a tool result without its call before it',
    ],
    [
      'a result behind another message',
      [calls('a'), user, result('a')],
      'message 2 comes before the results of the calls above it',
    ],
    ['a call without result at the end', [calls('a', 'b'), result('a')], 'the last calls have no results'],
    ['two calls of one id', [calls('a', 'a'), result('a')], 'message 1 has two calls of one id'],
    ['an answer without anything', [{ role: 'assistant', content: null }], 'message 1 has no content'],
  ])('names %s', (_, messages, problem) => {
    expect(checkMessages(messages)).toBe(problem);
  });
});
