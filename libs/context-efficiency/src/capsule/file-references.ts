import { refuse } from '../answers/context-refusal.js';
import { isSafePath, liesWithin } from '../paths/safe-path.js';
import type { Capsule } from './capsule-schema.js';

/** Where artifacts may lie, whatever a caller authorizes. */
export const ARTIFACT_BOUNDARY = 'knowzcode/artifacts';

/** §6.4: all files first, then all artifacts, each by the first of the two rules that it breaks. */
export function refuseBadReferences(capsule: Capsule): void {
  const files = [...capsule.owned_files, ...capsule.read_files, ...capsule.specs.map(({ path }) => path)];
  files.forEach(requireSafePath);
  for (const artifact of artifactsOf(capsule)) {
    if (!liesWithin(requireSafePath(artifact), ARTIFACT_BOUNDARY)) {
      refuse('CAPSULE_ARTIFACT_REF_UNAUTHORIZED');
    }
  }
}

export function requireSafePath(path: unknown): string {
  return isSafePath(path) ? path : refuse('CAPSULE_ARTIFACT_REF_INVALID');
}

function artifactsOf({ artifact_refs = [], failures, evidence = [] }: Capsule): readonly string[] {
  const named = [...failures, ...evidence].map(({ artifact }) => artifact ?? null);
  return [...artifact_refs, ...named.filter((artifact) => artifact !== null)];
}
