import type { TokenCounts } from '@palimpsest/contracts';
import type { TokenCounter } from '../ports/token-counter.js';

const counted = (o200k_base: number, cl100k_base: number, chars: number): TokenCounts => ({
  o200k_base,
  cl100k_base,
  chars,
});

/** Texts and what the reference tokenizer counts; special-token spellings count as the text they are. */
const KNOWN: readonly (readonly [name: string, text: string, counts: TokenCounts])[] = [
  ['nothing', '', counted(0, 0, 0)],
  ['words', 'hello world', counted(2, 2, 11)],
  ['the spelling of a special token', '<|endoftext|>', counted(7, 7, 13)],
  ['an emoji sequence', '👨‍👩‍👧‍👦', counted(11, 18, 7)],
  ['Japanese', '東京都の天気は晴れです。', counted(9, 13, 12)],
  ['JSON', '{"a":[1,2.5e-7]}', counted(12, 12, 16)],
  ['a long text', `${'word '.repeat(40_000)}end`, counted(40_001, 40_001, 200_003)],
  ['one long unbroken piece', 'a'.repeat(10_000), counted(1250, 1250, 10_000)],
];

/** What every `TokenCounter` keeps. What `open` gives is closed. */
export function tokenCounterContract(name: string, open: () => TokenCounter): void {
  describe(`TokenCounter: ${name}`, () => {
    let counter: TokenCounter;
    beforeAll(() => {
      counter = open();
    });
    afterAll(() => counter.close());

    it.each(KNOWN)('counts %s exactly in every unit', async (_name, text, counts) => {
      expect(await counter.countAll([text])).toEqual([counts]);
      for (const unit of ['o200k_base', 'cl100k_base', 'chars'] as const) {
        expect(await counter.count(text, unit)).toBe(counts[unit]);
      }
    });

    it('answers in the order of the texts, whatever their sizes', async () => {
      const texts = [...KNOWN, ...KNOWN].reverse();
      const answer = await counter.countAll(texts.map(([, text]) => text));
      expect(answer).toEqual(texts.map(([, , counts]) => counts));
    });

    it('answers for no texts', async () => {
      expect(await counter.countAll([])).toEqual([]);
    });

    it('keeps the answers of callers at once apart', async () => {
      const answers = await Promise.all(KNOWN.map(([, text]) => counter.countAll([text, 'hello world'])));
      expect(answers).toEqual(KNOWN.map(([, , counts]) => [counts, counted(2, 2, 11)]));
    });

    it('closes once or twice', async () => {
      const another = open();
      await another.close();
      await another.close();
    });
  });
}
