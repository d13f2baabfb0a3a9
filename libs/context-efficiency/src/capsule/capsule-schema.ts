import { closedObject, listOf, nullOr, oneOf, text, uniqueListOf, type Check } from '../schema/checks.js';
import { isDigest } from '../vocabulary/identifiers.js';
import { PHASES, type Phase } from '../vocabulary/words.js';

export const CAPSULE_SCHEMA = 'knowzcode.context-capsule/v1';

/** The briefing of a fresh worker (contract §6.2). */
export type Capsule = {
  readonly schema: typeof CAPSULE_SCHEMA;
  readonly task_id: string;
  readonly workgroup_id: string;
  readonly phase: Phase;
  readonly objective: string;
  readonly node_ids: readonly string[];
  readonly owned_files: readonly string[];
  readonly read_files: readonly string[];
  readonly specs: readonly { readonly path: string; readonly verify_ids: readonly string[] }[];
  readonly approved_decisions: readonly string[];
  readonly risks: readonly string[];
  readonly constraints: readonly string[];
  readonly checkpoint_sha: string | null;
  readonly failures: readonly CapsuleFailure[];
  readonly next_action: string;
  readonly evidence?: readonly CapsuleEvidence[];
  readonly artifact_refs?: readonly string[];
  readonly capsule_hash?: string | null;
};

export type CapsuleFailure = {
  readonly command: string;
  readonly summary: string;
  readonly artifact: string | null;
};

export type CapsuleEvidence = {
  readonly kind: 'file' | 'test' | 'log' | 'vault' | 'user';
  readonly summary: string;
  readonly artifact?: string | null;
};

export type SealedCapsule = Capsule & { readonly capsule_hash: string };

const id = text(1, 128);
const path = text(1, 512);
const sentence = text(1, 2048);
const sentences = listOf(128, sentence);

/** The schema's own idea of an artifact: what passes it and is unsafe fails later, by another code. */
const artifact: Check = (value) =>
  path(value) &&
  !/^[A-Za-z]:|\\|:\/\//.test(value as string) &&
  (value as string).split('/').every((segment) => segment !== '' && segment !== '..');

const spec = closedObject({ path, verify_ids: uniqueListOf(128, id) });
const failure = closedObject({ command: text(1, 1024), summary: sentence, artifact: nullOr(artifact) });
const evidence = closedObject(
  { kind: oneOf(['file', 'test', 'log', 'vault', 'user']), summary: sentence },
  { artifact: nullOr(artifact) },
);

const fits = closedObject(
  {
    schema: oneOf([CAPSULE_SCHEMA]),
    task_id: id,
    workgroup_id: id,
    phase: oneOf(PHASES),
    objective: text(1, 4096),
    node_ids: uniqueListOf(64, id),
    owned_files: uniqueListOf(64, path),
    read_files: uniqueListOf(128, path),
    specs: listOf(64, spec),
    approved_decisions: sentences,
    risks: sentences,
    constraints: sentences,
    checkpoint_sha: nullOr(text(7)),
    failures: listOf(64, failure),
    next_action: sentence,
  },
  {
    evidence: listOf(128, evidence),
    artifact_refs: uniqueListOf(128, artifact),
    capsule_hash: nullOr(isDigest),
  },
);

export function isCapsule(value: unknown): value is Capsule {
  return fits(value);
}
