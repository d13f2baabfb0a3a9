import { InvalidArgumentError } from 'commander';
import type { ContextStrategy, RunStatus, TokenCounterName } from '@palimpsest/contracts';
import type { RolloutStage } from '@palimpsest/contracts/registry';

/** Written out, so that `--help` need not load the schemas they come from. */
export const COUNTERS = ['o200k_base', 'cl100k_base', 'chars'] as const satisfies readonly TokenCounterName[];
export const STRATEGIES = [
  'sliding-window',
  'recursive',
  'map-reduce',
  'none',
] as const satisfies readonly ContextStrategy[];
export const STATUSES = [
  'pending',
  'running',
  'paused',
  'waiting-approval',
  'waiting-input',
  'waiting-external',
  'completed',
  'failed',
  'cancelling',
  'cancelled',
] as const satisfies readonly RunStatus[];

export const ROLLOUT_STAGES = [
  'off',
  'observe',
  'shadow',
  'canary',
  'on',
] as const satisfies readonly RolloutStage[];

/** Parses an option's text as a whole number between two bounds, both included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It takes a whole number ${range}.`);
  };
}
