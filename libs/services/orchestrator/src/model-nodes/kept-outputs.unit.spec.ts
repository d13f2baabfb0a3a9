import type { JsonValue } from '@palimpsest/contracts';
import { outputsOf, storableAnswer } from './kept-outputs.js';

const kept = (result: JsonValue) => storableAnswer({ kind: 'answered', value: { result } });

describe("what is kept of a model's answer", () => {
  it.each([
    [{ kind: 'text', text: 'words', finish: 'stop' } as const, { text: 'words' }],
    [{ kind: 'object', value: { a: 1 } } as const, { result: { a: 1 } }],
  ])('is its outputs: %j', (answer, value) => {
    expect(outputsOf({ ...answer, usages: [] })).toEqual({ kind: 'answered', value });
  });

  it.each([
    [{ kind: 'text', text: 'wor', finish: 'length' } as const, 'envelope_truncation_unrecoverable'],
    [{ kind: 'refusal', category: 'zebra' } as const, 'envelope_refusal'],
  ])('is an error for %j', (answer, code) => {
    expect(outputsOf({ ...answer, usages: [] })).toMatchObject({ kind: 'failed', error: { code } });
  });

  it('has no secrets', () => {
    const secret = `sk-${'a1B2'.repeat(10)}`;
    expect(JSON.stringify(kept({ note: secret }))).not.toContain(secret);
  });

  it.each<[string, JsonValue, string]>([
    ['too large', 'x'.repeat(48 * 1024), 'output_too_large'],
    ['large in bytes', 'é'.repeat(24 * 1024), 'output_too_large'],
    ['no text that can be stored', 'a\0b', 'envelope_invalid'],
    [
      'nested too deeply',
      JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as JsonValue,
      'envelope_invalid',
    ],
  ])('is an error for what is %s', (_what, result, code) => {
    expect(kept(result)).toMatchObject({ kind: 'failed', error: { code } });
  });

  it('is all of what just fits', () => {
    expect(kept('x'.repeat(48 * 1024 - '{"result":""}'.length)).kind).toBe('answered');
  });
});
