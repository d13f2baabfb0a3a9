import { MODES, PHASES, SENSITIVITIES, STAGES } from '@palimpsest/context-efficiency';
import {
  CONTEXT_MODES,
  ROLLOUT_STAGES,
  SENSITIVITY_WORDS,
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
