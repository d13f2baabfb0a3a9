import type { HostContext } from '../domain/context-settings.js';

export const hostContext: HostContext = {
  tokenCounter: 'o200k_base',
  strategy: 'sliding-window',
  keepLastTurns: 6,
  defaultBudgets: { o200k_base: 8000, cl100k_base: 8000, chars: 32_000 },
  maxBudgets: { o200k_base: 100_000, cl100k_base: 100_000, chars: 400_000 },
};
