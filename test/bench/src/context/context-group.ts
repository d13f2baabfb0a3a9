import type { BenchGroup } from '../bench-group.js';
import { measureColdStart } from './cold-start.js';
import { measureDecisions } from './decisions.js';

/** The context command and the library behind it. Needs no server. */
export const contextGroup: BenchGroup = {
  name: 'context',
  run: async (context) => [...measureColdStart(context), ...measureDecisions(context)],
};
