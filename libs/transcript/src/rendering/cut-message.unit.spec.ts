import {
  CURRENT_REPLAY_FLAGS,
  FLAG,
  NO_REPLAY_FLAGS,
  type MessageContent,
  type ReplayFlags,
  type TokenCounterName,
} from '@palimpsest/contracts';
import fc from 'fast-check';
import { cutMessage } from './cut-message.js';
import { codePoints, type Measure } from './measure.js';
import { renderMessage } from './render-message.js';

const points = (text: string): string[] => [...text];

/** Counts code points: exact, and the same arithmetic in every unit. */
const measure: Measure = {
  counter: 'chars',
  count: (text: string, _: TokenCounterName) => codePoints(text),
  head: (text, _, max) => points(text).slice(0, Math.max(0, max)).join(''),
  tail: (text, _, max) => (max <= 0 ? '' : points(text).slice(-max).join('')),
  facts: () => (max) => 'fact: 1'.slice(0, Math.max(0, max)),
};

const cut = (
  message: MessageContent,
  max: number,
  flags: ReplayFlags = CURRENT_REPLAY_FLAGS,
): ReturnType<typeof cutMessage> => cutMessage(message, { sequence: 57, max, measure, flags });

const textArbitrary = fc.string({ unit: 'binary', maxLength: 600 }).map((text) => text.toWellFormed());
const callArbitrary = fc.record({
  id: fc.uuid(),
  name: fc.stringMatching(/^[a-z_]{1,20}$/),
  arguments: fc.json().map((json) => json.toWellFormed()),
});
const messageArbitrary: fc.Arbitrary<MessageContent> = fc.oneof(
  fc.record({ role: fc.constantFrom('user' as const, 'tool' as const), text: textArbitrary }),
  fc.record({
    role: fc.constant('assistant' as const),
    text: textArbitrary,
    toolCalls: fc.array(callArbitrary, { minLength: 1, maxLength: 30 }),
  }),
);

/** Every call is still there; the arguments of each are its own or valid JSON. */
function expectCallsKept(message: MessageContent, form: ReturnType<typeof cut>): void {
  const whole = new Map(message.toolCalls?.map((call) => [call.id, call.arguments]));
  expect(form?.toolCalls?.map(({ id }) => id)).toEqual(message.toolCalls?.map(({ id }) => id));
  for (const call of form?.toolCalls ?? []) {
    if (call.arguments !== whole.get(call.id))
      expect(() => JSON.parse(call.arguments) as unknown).not.toThrow();
  }
}

describe('cutting a message', () => {
  it('stays within its room, whole and well-formed, whatever it says', () => {
    fc.assert(
      fc.property(messageArbitrary, fc.integer({ min: 64, max: 500 }), (message, max) => {
        for (const flags of [CURRENT_REPLAY_FLAGS, NO_REPLAY_FLAGS]) {
          const form = cut(message, max, flags);
          const rendered = form?.rendered ?? '';
          expect(codePoints(rendered)).toBeLessThanOrEqual(max);
          expect(rendered.isWellFormed()).toBe(true);
          expect(rendered).toMatch(new RegExp(`^${message.role}: [^]*\\n$`));
          expectCallsKept(message, form);
        }
      }),
    );
  });

  it('gives the arguments of a call all their room, where runs from before lose a fifth of it to a few escapes', () => {
    const toolCalls = [
      { id: 'a', name: 'send', arguments: JSON.stringify({ to: 'ops', body: 'word '.repeat(500) }) },
    ];
    const message: MessageContent = { role: 'assistant', text: '', toolCalls };
    const taken = (flags: ReplayFlags): number => codePoints(cut(message, 500, flags)?.rendered ?? '');
    expect(taken([FLAG.FULL_ARGUMENTS])).toBeGreaterThan(495);
    expect(taken(NO_REPLAY_FLAGS)).toBeLessThan(450);
  });

  it('with the flag never shows less of arguments, whatever they are', () => {
    fc.assert(
      fc.property(callArbitrary, fc.integer({ min: 64, max: 500 }), (call, max) => {
        const message: MessageContent = { role: 'assistant', text: '', toolCalls: [call] };
        const [full, before] = [[FLAG.FULL_ARGUMENTS], NO_REPLAY_FLAGS].map((flags) =>
          cut(message, max, flags),
        );
        expect(codePoints(full?.rendered ?? '')).toBeGreaterThanOrEqual(codePoints(before?.rendered ?? ''));
      }),
    );
  });

  it('keeps head and tail, says how much is not shown and where it stands', () => {
    const text = `BEGIN ${'x'.repeat(2000)} END`;
    const form = cut({ role: 'user', text }, 200);
    expect(form?.text).toMatch(/^BEGIN x*\n\[… \d+ omitted, see #57 …\]\nfact: 1\nx* END$/);
    const shown = codePoints((form?.text ?? '').replace(/\n\[.*\]\nfact: 1\n/, ''));
    expect(form?.text).toContain(`${codePoints(text) - shown} omitted`);
  });

  it('gives structured data no ends, as its facts say more', () => {
    const text = JSON.stringify({ rows: Array.from({ length: 100 }, (_, id) => ({ id })) });
    const told = cutMessage(
      { role: 'tool', text },
      {
        sequence: 57,
        max: 80,
        flags: CURRENT_REPLAY_FLAGS,
        measure: { ...measure, facts: () => (max) => 'id: 0 1 2 3 4 5 6 7 8 9 '.repeat(9).slice(0, max) },
      },
    );
    expect(told?.text).toMatch(/^\[… \d+ omitted, see #57 …\]\nid: 0 1 2/);
    expect(told?.text).not.toContain('rows');
  });

  it('gives the beginning of a text what its facts leave free', () => {
    const text = JSON.stringify({ log: 'y'.repeat(3000) });
    expect(cut({ role: 'tool', text }, 200)?.text).toMatch(/^\{"log":"y{90,}\n\[.*\]\nfact: 1$/);
  });

  it('leaves small arguments whole beside a large one', () => {
    const small = { id: 'a', name: 'f', arguments: '{"k":1}' };
    const large = { id: 'b', name: 'g', arguments: JSON.stringify({ log: 'y'.repeat(3000) }) };
    const form = cut({ role: 'assistant', text: '', toolCalls: [small, large] }, 200);
    expect(form?.toolCalls?.[0]).toEqual(small);
    expect(JSON.parse(form?.toolCalls?.[1]?.arguments ?? '')).toEqual({
      _omitted: expect.any(Number) as number,
      _facts: 'fact: 1',
      _head: expect.stringContaining('{"log":"yyy') as string,
    });
  });

  it('renders one marker where hundreds of names do not fit, and keeps the calls for the provider', () => {
    const toolCalls = Array.from({ length: 200 }, (_, index) => ({
      id: `c${index}`,
      name: 'long_tool_name',
      arguments: '{"a":1}',
    }));
    const form = cut({ role: 'assistant', text: '', toolCalls }, 64);
    expect(form?.rendered).toBe('assistant: [… 1400 omitted, see #57 …]\n');
    expect(form?.toolCalls).toHaveLength(200);
  });

  it('gives up below the shortest form', () => {
    expect(cut({ role: 'tool', text: 'z'.repeat(500) }, 10)).toBeUndefined();
  });

  it('renders calls on lines of their own', () => {
    const toolCalls = [{ id: 'a', name: 'f', arguments: '{}' }];
    expect(renderMessage({ role: 'assistant', text: 'Looking.', toolCalls })).toBe(
      'assistant: Looking.\n[call f {}]\n',
    );
    expect(renderMessage({ role: 'assistant', text: '', toolCalls })).toBe('assistant: [call f {}]\n');
  });
});
