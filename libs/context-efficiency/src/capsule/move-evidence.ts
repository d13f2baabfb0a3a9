import { refuse } from '../answers/context-refusal.js';
import { liesWithin } from '../paths/safe-path.js';
import type { Capsule } from './capsule-schema.js';
import { ARTIFACT_BOUNDARY, requireSafePath } from './file-references.js';

/** Where evidence may go, as the caller said it: not looked at before it is needed. */
export type Destination = { readonly path: unknown; readonly roots: unknown };

/**
 * §6.5: all evidence at once, to an artifact that a root of the caller's authorizes. Answers the capsule without
 * it, not sealed; whoever holds the path writes the evidence there.
 */
export function moveEvidence(capsule: Capsule, { path, roots }: Destination): Capsule {
  if (!capsule.evidence?.length || !path) return refuse('CAPSULE_MANDATORY_OVERFLOW');
  const target = authorized(requireSafePath(path), roots);
  const references = capsule.artifact_refs ?? [];
  const isListed = references.includes(target);
  return { ...capsule, evidence: [], artifact_refs: isListed ? references : [...references, target] };
}

/** Roots outside of the boundary authorize nothing, however listed. */
function authorized(path: string, roots: unknown): string {
  if (!Array.isArray(roots) || roots.length === 0) return refuse('CAPSULE_ARTIFACT_REF_UNAUTHORIZED');
  const holds = roots
    .map(requireSafePath)
    .some((root) => liesWithin(root, ARTIFACT_BOUNDARY) && liesWithin(path, root));
  return holds ? path : refuse('CAPSULE_ARTIFACT_REF_UNAUTHORIZED');
}
