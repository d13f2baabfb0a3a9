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

/** Parses what of an option or argument has to match; `takes`: what that is, after "It takes". */
function matching(pattern: RegExp, takes: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`It takes ${takes}.`);
  };
}

/** Of a workgroup, a lineage, an environment or a family. */
export const registryName = matching(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
  'at most 128 letters, digits, ".", "_" and "-", the first a letter or digit',
);
export const candidateVersion = matching(
  /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/,
  'at most 128 letters, digits, ".", "_", "+" and "-", the first a letter or digit',
);
export const runtimeDigest = matching(
  /^sha256:[0-9a-f]{64}$/,
  '"sha256:" and 64 lowercase hexadecimal digits',
);

/** Parses the percentage of a canary. */
export function canaryPercent(text: string): number {
  if (/^(?:10|25|50)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes 10, 25 or 50.');
}

/** Parses an option's text as a whole number between two bounds, both included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It takes a whole number ${range}.`);
  };
}
