import { mockAnswerOf } from './mock-answer.js';

const object = {
  answer: {
    kind: 'object',
    name: 'output',
    schema: { type: 'object', required: ['valid'], properties: { valid: { type: 'boolean' } } },
  },
} as const;
const text = { answer: { kind: 'text' } } as const;
const said = (content: string, stopReason = 'end_turn') => ({ content, stopReason, refusalText: 'zebra' });

describe('an answer of the provider mock', () => {
  it('is judged by the form that was asked for', () => {
    expect(mockAnswerOf(object, said('{"valid":true}'))).toEqual({
      kind: 'answered',
      value: { result: { valid: true } },
    });
    expect(mockAnswerOf(text, said('words'))).toEqual({ kind: 'answered', value: { text: 'words' } });
  });

  it.each([
    [object, said('{"valid":true}', 'safety'), 'envelope_refusal'],
    [text, said('words', 'refusal'), 'envelope_refusal'],
    [object, said('{"valid":true}', 'max_tokens'), 'envelope_truncation_unrecoverable'],
    [object, said('{"valid":1}'), 'envelope_invalid'],
    [object, said('no JSON'), 'envelope_invalid'],
    [object, said('['.repeat(20_000) + ']'.repeat(20_000)), 'envelope_invalid'],
    [text, said(' '), 'envelope_invalid'],
  ])('fails, without a word of it: %#', (form, given, code) => {
    const answer = mockAnswerOf(form, given);
    expect(answer).toMatchObject({ kind: 'failed', error: { code } });
    expect(JSON.stringify(answer)).not.toContain('zebra');
  });
});
