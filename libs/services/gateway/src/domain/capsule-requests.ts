import { z } from 'zod';
import { holdsFurtherKey, makeCapsule, type SealedCapsule } from '@palimpsest/context-efficiency';
import { isStorableJson, storableTextSchema, type JsonValue } from '@palimpsest/contracts';
import { PrivateContentError, ValidationError } from '@palimpsest/kernel';
import { besides, decidedBy, refusePrivateContent } from './context-errors.js';
import { parseRequest } from './parse-request.js';

/** What the contract's operation takes (§6), in this host's names. */
export const recordCapsuleRequestSchema = z.strictObject({
  capsule: z
    .record(z.string(), z.unknown())
    .refine((value) => isStorableJson(value as JsonValue), 'must be well-formed Unicode without NUL'),
  maxBytes: z.int().min(1).optional(),
  artifactPath: storableTextSchema.optional(),
  artifactRoots: z.array(storableTextSchema).optional(),
});

/**
 * The capsule as it is kept. A briefing may name people and places (§6.3); its task's id, which is told to others, may not, and
 * keys of providers stand nowhere, those that the contract does not know included.
 * @throws PrivateContentError, ContextRefusedError, ValidationError where it is another workgroup's
 */
export function sealedCapsule(body: unknown, workgroupId: string): SealedCapsule {
  refusePrivateContent(besides(body, 'capsule'));
  const { capsule, maxBytes, artifactPath, artifactRoots } = parseRequest(recordCapsuleRequestSchema, body);
  const limit = maxBytes === undefined ? {} : { max_bytes: maxBytes };
  const sealed = decidedBy(() =>
    makeCapsule({ capsule, ...limit, artifact_path: artifactPath, artifact_roots: artifactRoots }),
  );
  if (sealed.workgroup_id !== workgroupId) throw new OtherWorkgroupError();
  refusePrivateContent(sealed.task_id);
  if (holdsFurtherKey(JSON.stringify(sealed))) throw new PrivateContentError();
  return sealed;
}

class OtherWorkgroupError extends ValidationError {
  constructor() {
    const field = 'capsule.workgroup_id';
    super(`${field}: is not the workgroup of the path`, { field });
  }
}
