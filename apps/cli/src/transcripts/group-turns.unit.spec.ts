import { groupTurns, type WindowEvery } from './group-turns.js';
import type { SourceMessage } from './transcript.js';

/** `s`, `u`, `a`: messages; `A`: an assistant message with calls; `t`: a tool result. */
function messages(text: string): SourceMessage[] {
  const roles: Record<string, string> = {
    s: 'system',
    d: 'developer',
    u: 'user',
    a: 'assistant',
    A: 'assistant',
    t: 'tool',
  };
  return [...text].map((letter, index) => ({
    message: { role: roles[letter] ?? '', ...(letter === 'A' && { tool_calls: [{ id: 'c' }] }) },
    place: index + 1,
  }));
}

/** Steps as texts; `|` where a window is taken before. */
function steps(text: string, every: WindowEvery): string[] {
  const letters = [...text];
  return groupTurns(messages(text), every).map(
    (step) => (step.windowBefore ? '|' : '') + step.messages.map(({ place }) => letters[place - 1]).join(''),
  );
}

describe('groupTurns', () => {
  it.each([
    ['suau', ['s', 'u', '|a', 'u']],
    ['suAttau', ['s', 'u', '|Att', '|a', 'u']],
    ['uAtAtt', ['u', '|At', '|Att']],
    ['sau', ['s', 'a', 'u']],
    ['sda', ['s', 'd', 'a']],
    ['uAutt', ['u', '|A', 'u', 't', 't']],
    ['ut', ['u', 't']],
    ['uat', ['u', '|a', 't']],
    ['', []],
  ])('keeps calls and results of %s together and asks before answers', (text, expected) => {
    expect(steps(text, 'turn')).toEqual(expected);
  });

  it('asks before every message but the first and instructions before it', () => {
    expect(steps('suAtta', 'message')).toEqual(['s', 'u', '|A', '|t', '|t', '|a']);
  });
});
