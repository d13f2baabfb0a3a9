import { isCorpusId, MODES, PHASES, SENSITIVITIES, STAGES, STRATA } from '@palimpsest/context-efficiency';
import {
  CONTEXT_MODES,
  ROLLOUT_STAGES,
  SENSITIVITY_WORDS,
  taskCorpusIdSchema,
  WORKGROUP_PHASES,
} from '@palimpsest/contracts/registry';

it.each([
  ['modes', CONTEXT_MODES, MODES],
  ['phases', WORKGROUP_PHASES, PHASES],
  ['sensitivities', SENSITIVITY_WORDS, SENSITIVITIES],
  ['stages', ROLLOUT_STAGES, STAGES],
])('%s cross processes as the contract has them', (_, words, known) => {
  expect(words).toEqual(known);
});

it.each([
  ...STRATA.flatMap((stratum) => [`${stratum}-00`, `${stratum}-99`, `${stratum}-9`, `${stratum}-100`]),
  ...[15, 16, 17, 63, 64, 65].map((digits) => `anon-${'a'.repeat(digits)}`),
  ...['', 'T-1', 'anon-', 'ANON-0000000000000000', 'anon-00000000000000AA', 'anon-000000000000000g'],
  ...['backend-refactor-12\n', ' backend-refactor-12', 'backend-refactor-1a', 'frontend-12'],
])('a corpus id is one that the contract has: %j', (id) => {
  expect(taskCorpusIdSchema.safeParse(id).success).toBe(isCorpusId(id));
});
