import type {
  ContextRequest,
  ContextSettings,
  ContextStrategy,
  TokenCounterName,
} from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { keepableTurns, shapeBudget } from '@palimpsest/transcript';
import { BudgetInfeasibleError } from './gateway-errors.js';

type PerCounter = Readonly<Record<TokenCounterName, number>>;

/** What the host gives where a caller says nothing, and the most that a caller may ask for. */
export type HostContext = {
  readonly defaultBudgets: PerCounter;
  readonly maxBudgets: PerCounter;
  readonly tokenCounter: TokenCounterName;
  readonly keepLastTurns: number;
  readonly strategy: ContextStrategy;
};

/**
 * The settings a run is held to. `keepLastTurns` left out is what the budget allows, up to the host's default;
 * one that is asked for is kept or refused.
 * @throws ValidationError above the host's maximum
 * @throws BudgetInfeasibleError where the knobs do not fit the budget
 */
export function resolveContextSettings(request: ContextRequest, host: HostContext): ContextSettings {
  const tokenCounter = request.tokenCounter ?? host.tokenCounter;
  const partial = {
    tokenCounter,
    transcriptTokenBudget: request.transcriptTokenBudget ?? host.defaultBudgets[tokenCounter],
    strategy: request.strategy ?? host.strategy,
    ...(request.transcriptWindow !== undefined && { transcriptWindow: request.transcriptWindow }),
  };
  checkMaximum(partial.transcriptTokenBudget, tokenCounter, host);
  const settings = {
    ...partial,
    keepLastTurns: request.keepLastTurns ?? keepableTurns(partial, host.keepLastTurns),
  };
  checkFeasible(settings);
  return settings;
}

/**
 * The settings of an execution loop's windows (design §6): in the host's unit, and within the budget that the host
 * gives and advertises.
 * @throws ValidationError for another unit or a greater budget
 * @throws BudgetInfeasibleError where the knobs do not fit the budget
 */
export function resolveLoopContext(request: ContextRequest, host: HostContext): ContextSettings {
  const { tokenCounter = host.tokenCounter } = request;
  if (tokenCounter !== host.tokenCounter) {
    throw new ValidationError(
      `tokenCounter: loops that this host runs are counted in ${host.tokenCounter}.`,
      {
        field: 'configurable.context.tokenCounter',
        tokenCounter: host.tokenCounter,
      },
    );
  }
  return resolveContextSettings(request, { ...host, maxBudgets: host.defaultBudgets });
}

function checkMaximum(budget: number, counter: TokenCounterName, host: HostContext): void {
  const maximum = host.maxBudgets[counter];
  if (budget <= maximum) return;
  throw new ValidationError(`transcriptTokenBudget: at most ${maximum} in ${counter} can be had here.`, {
    field: 'configurable.context.transcriptTokenBudget',
    maximum,
  });
}

function checkFeasible(settings: ContextSettings): void {
  const verdict = shapeBudget(settings);
  if (verdict.feasible) return;
  const { minimumBudget, minimumTranscriptWindow } = verdict;
  const { transcriptTokenBudget: budget, transcriptWindow: window, keepLastTurns, tokenCounter } = settings;
  if (budget < minimumBudget) {
    throw new BudgetInfeasibleError(
      `A transcriptTokenBudget of ${budget} (${tokenCounter}) cannot keep ${Math.max(1, keepLastTurns)} turn(s) ` +
        `with strategy ${settings.strategy}; it takes at least ${minimumBudget}.`,
      minimumBudget,
    );
  }
  throw new BudgetInfeasibleError(
    `A transcriptWindow of ${window} cannot hold ${Math.max(1, keepLastTurns)} turn(s); ` +
      `it takes at least ${minimumTranscriptWindow}.`,
    minimumBudget,
    minimumTranscriptWindow,
  );
}
