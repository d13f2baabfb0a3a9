import fc from 'fast-check';
import { toAnthropicRequest } from './anthropic-messages.js';
import {
  elidedMessage,
  fedTurnMessage,
  instructionMessage,
  pinMessage,
  summaryMessage,
  type FedMessage,
} from './fed-message.js';
import { toOpenAiMessages } from './openai-messages.js';

const at = (sequence: number, turn = sequence): { sequence: number; turn: number } => ({ sequence, turn });
const user = (sequence: number, text = `u${sequence}`): FedMessage =>
  fedTurnMessage(at(sequence), { role: 'user', text });
const call = (sequence: number, ...ids: string[]): FedMessage =>
  fedTurnMessage(at(sequence), {
    role: 'assistant',
    text: '',
    toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{"q":1}' })),
  });
const result = (sequence: number, turn: number, id: string): FedMessage =>
  fedTurnMessage(at(sequence, turn), { role: 'tool', text: `r${sequence}`, toolCallId: id });
const rule = (sequence: number): FedMessage =>
  instructionMessage(sequence, { role: 'system', text: `s${sequence}` });
const summary = summaryMessage(40, 'user: [summary]\nfacts\n[/summary]\n');

describe('a window as OpenAI messages', () => {
  it('puts older instructions first, then the summary, then turns and later instructions in place', () => {
    const messages = toOpenAiMessages([summary, user(10), rule(3), rule(12), user(14)]);
    expect(messages.map(({ content }) => content)).toEqual([
      's3',
      '[summary]\nfacts\n[/summary]',
      'u10',
      's12',
      'u14',
    ]);
  });

  it('puts pins where instructions would stand, as the user’s words, others’ under their label', () => {
    const said = { role: 'user', text: 'In French.' } as const;
    const toolSaid = { role: 'tool', text: '41', toolCallId: 'a' } as const;
    const asked = {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }],
    } as const;
    const window = [
      summary,
      pinMessage(2, said),
      call(10, 'a'),
      pinMessage(11, toolSaid),
      pinMessage(12, asked),
      result(13, 10, 'a'),
    ];
    const messages = toOpenAiMessages(window);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'In French.'],
      ['user', '[summary]\nfacts\n[/summary]'],
      ['assistant', null],
      ['tool', 'r13'],
      ['user', 'tool: 41'],
      ['user', 'assistant: [call look {}]'],
    ]);
    expect(messages.filter(({ tool_calls }) => tool_calls)).toHaveLength(1);
  });

  it('lets results follow their call, late ones too, and answers missing ones', () => {
    const messages = toOpenAiMessages([
      call(5, 'a', 'b', 'c'),
      user(6),
      result(7, 5, 'b'),
      user(8),
      result(9, 5, 'a'),
    ]);
    expect(messages.map(({ role, content, tool_call_id }) => [role, tool_call_id ?? content])).toEqual([
      ['assistant', null],
      ['tool', 'b'],
      ['tool', 'a'],
      ['tool', 'c'],
      ['user', 'u6'],
      ['user', 'u8'],
    ]);
    expect(messages[3]?.content).toBe('[no result yet]');
  });

  it('keeps an answer for an elided result', () => {
    const messages = toOpenAiMessages([call(5, 'a'), elidedMessage(at(6, 5), 'a')]);
    expect(messages[1]).toEqual({ role: 'tool', content: '[omitted]', tool_call_id: 'a' });
  });

  it('shows the cut form where one was fed', () => {
    const cut = { rendered: 'user: short\n', text: 'short' };
    expect(toOpenAiMessages([fedTurnMessage(at(1), { role: 'user', text: 'long' }, cut)])[0]?.content).toBe(
      'short',
    );
  });
});

type Turn = { readonly calls: number; readonly answered: number; readonly reuse: boolean };

/** Turns with calls whose ids return once answered; results come late, after the turns that follow. */
function fedOf(turns: readonly Turn[]): FedMessage[] {
  const openings = turns.map(({ calls, reuse }, index) => {
    const ids = Array.from({ length: calls }, (_, n) => (reuse ? `id.${n}` : `id-${index}-${n}`));
    return { sequence: index + 1, ids };
  });
  const results = openings.flatMap(({ sequence, ids }, index) =>
    ids.slice(0, turns[index]?.answered).map((id, n) => result(1000 + sequence * 10 + n, sequence, id)),
  );
  return [
    ...openings.map(({ sequence, ids }) => (ids.length > 0 ? call(sequence, ...ids) : user(sequence, ' '))),
    ...results,
    ...turns.map((_, index) => pinMessage(index + 500, { role: 'user', text: 'p' })),
  ];
}

const turnsArbitrary = fc.array(
  fc.record({
    calls: fc.integer({ min: 0, max: 4 }),
    answered: fc.integer({ min: 0, max: 4 }),
    reuse: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('any window is legal for a provider', () => {
  it('OpenAI: every call is answered right after it, nothing else is', () => {
    fc.assert(
      fc.property(turnsArbitrary, (turns) => {
        let open: string[] = [];
        for (const message of toOpenAiMessages(fedOf(turns))) {
          if (message.tool_call_id !== undefined) {
            expect(open).toContain(message.tool_call_id);
            open = open.filter((id) => id !== message.tool_call_id);
            continue;
          }
          expect(open).toEqual([]);
          open = message.tool_calls?.map(({ id }) => id) ?? [];
        }
        expect(open).toEqual([]);
      }),
    );
  });

  it('Anthropic: roles alternate from the user on, ids are unique and legal, results open the next message', () => {
    fc.assert(
      fc.property(turnsArbitrary, (turns) => {
        const { messages } = toAnthropicRequest(fedOf(turns));
        const seen = new Set<string>();
        messages.forEach(({ role, content }, index) => {
          expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
          expect(content.length).toBeGreaterThan(0);
          for (const block of content) if (block.type === 'text') expect(block.text.trim()).not.toBe('');
          const uses = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
          uses.forEach((id) => {
            expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
            expect(seen.has(id)).toBe(false);
            seen.add(id);
          });
          if (uses.length === 0) return;
          const answers = (messages[index + 1]?.content ?? []).slice(0, uses.length);
          const answered = answers.map((block) => (block.type === 'tool_result' ? block.tool_use_id : ''));
          expect(new Set(answered)).toEqual(new Set(uses));
        });
      }),
    );
  });
});
