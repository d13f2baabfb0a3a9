import { TOKEN_COUNTERS, type TokenCounterName } from '@palimpsest/contracts';
import { maxBudgetsOf, type GatewayConfig } from './app-configs.js';

/** A token of prose is about this many code points: what a default budget is in the other unit. */
const CHARS_PER_TOKEN = 4;

type ContextConfig = Pick<
  GatewayConfig,
  | 'defaultBudget'
  | 'defaultCounter'
  | 'defaultKeepLastTurns'
  | 'defaultStrategy'
  | 'maxBudgetO200kBase'
  | 'maxBudgetCl100kBase'
  | 'maxBudgetChars'
>;

/** What the gateway gives to runs that ask for nothing, and the most they may ask for. */
export function contextDefaultsOf(config: ContextConfig): {
  readonly defaultBudgets: Readonly<Record<TokenCounterName, number>>;
  readonly maxBudgets: Readonly<Record<TokenCounterName, number>>;
  readonly tokenCounter: TokenCounterName;
  readonly keepLastTurns: number;
  readonly strategy: ContextConfig['defaultStrategy'];
} {
  const maxBudgets = maxBudgetsOf(config);
  const budgets = TOKEN_COUNTERS.map((counter) => {
    const wanted = config.defaultBudget * charsIn(counter) * (1 / charsIn(config.defaultCounter));
    return [counter, Math.min(maxBudgets[counter], Math.max(1, Math.floor(wanted)))] as const;
  });
  return {
    defaultBudgets: Object.fromEntries(budgets) as Record<TokenCounterName, number>,
    maxBudgets,
    tokenCounter: config.defaultCounter,
    keepLastTurns: config.defaultKeepLastTurns,
    strategy: config.defaultStrategy,
  };
}

function charsIn(counter: TokenCounterName): number {
  return counter === 'chars' ? CHARS_PER_TOKEN : 1;
}
