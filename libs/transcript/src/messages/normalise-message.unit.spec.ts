import { chatMessageSchema } from '@palimpsest/contracts';
import { normaliseMessage, UnsupportedContentError } from './normalise-message.js';

const normalised = (message: object): ReturnType<typeof normaliseMessage> =>
  normaliseMessage(chatMessageSchema.parse(message));

describe('normalising a chat message', () => {
  it.each([
    ['plain text', 'a', 'a'],
    [
      'text parts',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'ab',
    ],
    ['a refusal part', [{ type: 'refusal', refusal: 'no' }], 'no'],
    ['no parts', [], ''],
  ])('joins %s', (_, content, text) => {
    expect(normalised({ role: 'user', content })).toEqual({
      content: { role: 'user', text },
      repaired: false,
    });
  });

  it('keeps developer as system', () => {
    expect(normalised({ role: 'developer', content: 'rule' }).content.role).toBe('system');
  });

  it.each(['a\u0000b', 'a\ud800b', '\udc00', 'x\ude00\ud83d'])('repairs text once and says so', (content) => {
    const { content: kept, repaired } = normalised({ role: 'user', content });
    expect(repaired).toBe(true);
    expect(kept.text).toBe(content.toWellFormed().replaceAll('\u0000', '\ufffd'));
  });

  it('leaves the literal spelling of NUL alone', () => {
    expect(normalised({ role: 'user', content: 'a\\u0000b' })).toMatchObject({ repaired: false });
  });

  it('keeps calls, and repairs their arguments', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"\u0000"}' } };
    const { content, repaired } = normalised({ role: 'assistant', content: null, tool_calls: [call] });
    expect(content).toEqual({
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'c', name: 'f', arguments: '{"a":"\ufffd"}' }],
    });
    expect(repaired).toBe(true);
  });

  it('refuses what cannot be counted as text', () => {
    const image = [{ type: 'image_url', image_url: { url: 'data:,' } }];
    expect(() => normalised({ role: 'user', content: image })).toThrow(UnsupportedContentError);
  });

  it.each([
    { type: 'image_url', image_url: { url: 'data:' }, text: 'x' },
    { type: 'input_audio', refusal: 'x' },
  ])('refuses a part of another kind, whatever else it holds', (part) => {
    expect(() => normaliseMessage({ role: 'user', content: [part] })).toThrow(UnsupportedContentError);
  });
});
