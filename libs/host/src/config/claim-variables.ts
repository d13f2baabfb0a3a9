import { z } from 'zod';
import { modelVariables, wishVariables } from './model-config.js';
import { variable, type ConfigOf, type ConfigRule } from './read-config.js';
import { flag } from './variable-kinds.js';

/** What the gateway says of the host in discovery, beside what it serves itself. */
export const claimVariables = {
  hostId: variable(
    'PALIMPSEST_HOST_ID',
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'takes letters, digits, ".", "_" and "-"')
      .default('palimpsest'),
    'What discovery names this host. It stays the same for the life of a deployment.',
  ),
  /** The gateway asks no model and takes no key: it tells that the orchestrator has one, and refuses what that would. */
  modelProvider: modelVariables.modelProvider,
  ...wishVariables,
  advertiseContextBudget: variable(
    'PALIMPSEST_ADVERTISE_CONTEXT_BUDGET',
    flag.default(false),
    'Whether discovery claims `contextBudget`, with the defaults of windows. It takes a model provider, as only turns that a model decides have windows.',
  ),
};

type ClaimConfig = ConfigOf<typeof claimVariables>;

/** A scripted planner must not claim a budget (host specification §1.3). */
export const claimRule: ConfigRule<typeof claimVariables> = ({ advertiseContextBudget, modelProvider }) =>
  advertiseContextBudget && modelProvider === undefined
    ? [
        {
          variable: 'PALIMPSEST_MODEL_PROVIDER',
          problem: 'is required where PALIMPSEST_ADVERTISE_CONTEXT_BUDGET is true',
        },
      ]
    : [];

/** The same as the gateway takes it. */
export function claimsOf({ hostId, modelProvider, advertiseContextBudget }: ClaimConfig): {
  readonly hostId: string;
  readonly modelTurns: boolean;
  readonly contextBudget: boolean;
} {
  return { hostId, modelTurns: modelProvider !== undefined, contextBudget: advertiseContextBudget };
}
