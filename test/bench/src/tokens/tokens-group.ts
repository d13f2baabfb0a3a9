import type { BenchGroup } from '../bench-group.js';
import { measureSpeed } from './counting-speed.js';
import { measureWorstCases } from './worst-cases.js';

/** Exact counting: speed on ordinary text against gpt-tokenizer called directly, and texts made to be slow. */
export const tokensGroup: BenchGroup = {
  name: 'tokens',
  run: async (context) => [...measureSpeed(context), ...(await measureWorstCases(context))],
};
