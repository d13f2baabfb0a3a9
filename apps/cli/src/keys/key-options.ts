import { InvalidArgumentError } from 'commander';
import type { Scope } from '@palimpsest/gateway';

/** Written out, so that `--help` need not load the schemas they come from. */
export const KEY_SCOPES = [
  'manifest:read',
  'runs:create',
  'runs:read',
  'runs:cancel',
  'artifacts:read',
  'artifacts:erase',
  'webhooks:manage',
  'approvals:respond',
  'packs:publish',
  'packs:yank',
  'packs:yank-revert',
  'audit:read',
  'workspace:read',
  'workspace:write',
  'workgroups:read',
  'workgroups:write',
  'workgroups:coordinate',
  'telemetry:write',
  'telemetry:read',
  'rollouts:read',
  'rollouts:manage',
  'context:decide',
] as const satisfies readonly Scope[];

/** Of the protocol, for endpoints that this host does not have: such a key opens nothing with them. */
const RESERVED: readonly Scope[] = [
  'webhooks:manage',
  'packs:publish',
  'packs:yank',
  'packs:yank-revert',
  'audit:read',
  'workspace:read',
  'workspace:write',
];

export function isReserved(scope: Scope): boolean {
  return RESERVED.includes(scope);
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Parses `a,b` or `all`. */
export function scopeList(text: string): readonly Scope[] {
  if (text === 'all') return KEY_SCOPES;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !KEY_SCOPES.some((scope) => scope === name));
  if (unknown === undefined) return names as Scope[];
  throw new InvalidArgumentError(
    `there is no scope "${unknown}"; there are ${KEY_SCOPES.join(', ')}, and "all".`,
  );
}

/** Parses `90d`, `12h`, `30m` or `45s`, as seconds of at least `least`. */
export function duration(least: number): (text: string) => number {
  return (text) => {
    const [, count = '', unit = 's'] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
    const seconds = count === '' ? NaN : Number(count) * SECONDS[unit as keyof typeof SECONDS];
    if (seconds >= least) return seconds;
    throw new InvalidArgumentError('It takes a number and a unit: 45s, 30m, 12h or 90d.');
  };
}
