import { digestOf } from '@palimpsest/context-efficiency';

const SCOPE_DIGITS = 32;

/** Whose content a workgroup's is in the artifact store: a name that a run could have, whatever the workgroup's id. */
export function workgroupScope(workgroupId: string): string {
  return `workgroup-${digitsOf(workgroupId)}`;
}

/** The same, of what the promotions of an environment were decided by. */
export function rolloutScope(environment: string): string {
  return `rollout-${digitsOf(environment)}`;
}

function digitsOf(name: string): string {
  const [, hash = ''] = digestOf(name).split(':');
  return hash.slice(0, SCOPE_DIGITS);
}
