import { countTokens } from '@palimpsest/tokens';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import type { BenchContext, Row } from '../bench-group.js';
import { ordinaryTexts } from './ordinary-texts.js';

const ROUNDS = 9;
const AS_TEXT = { disallowedSpecial: new Set<string>() };
const DIRECT = { o200k_base: countO200k, cl100k_base: countCl100k } as const;

/** Millions of UTF-16 units a second, best of several rounds that take turns, gpt-tokenizer's merge cache warm. */
export function measureSpeed({ transcripts, progress }: BenchContext): readonly Row[] {
  const rows: Row[] = [];
  for (const [kind, text] of Object.entries(ordinaryTexts(transcripts)))
    for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
      progress(`counting ${kind} in ${encoding}`);
      const [ours, direct] = bestOfEach(
        () => countTokens(text, encoding),
        () => DIRECT[encoding](text, AS_TEXT),
      );
      rows.push({
        group: 'tokens',
        case: `${kind} ${encoding}`,
        value: text.length / ours / 1000,
        unit: 'M units/s',
        ratio: direct / ours,
        baseline: 'gpt-tokenizer',
        target: 'ratio ≥ 0.9',
      });
    }
  return rows;
}

/** The shortest time of each in milliseconds. */
function bestOfEach(first: () => unknown, second: () => unknown): readonly [number, number] {
  const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    best[0] = Math.min(best[0], timeOf(first));
    best[1] = Math.min(best[1], timeOf(second));
  }
  return best;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
