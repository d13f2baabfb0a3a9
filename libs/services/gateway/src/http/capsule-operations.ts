import { z } from 'zod';
import { capsuleViewSchema } from '@palimpsest/contracts/registry';
import { recordCapsuleRequestSchema } from '../domain/capsule-requests.js';

/** What is told of a capsule that was recorded. */
export const recordedCapsuleSchema = capsuleViewSchema.pick({
  capsuleHash: true,
  bytes: true,
  taskId: true,
  phase: true,
});

/** Briefings of a workgroup, for the list of all. */
export const CAPSULE_OPERATIONS = {
  recordCapsule: {
    method: 'POST',
    path: '/v1/workgroups/{workgroupId}/capsules',
    scopes: ['workgroups:write'],
    status: 201,
    summary: 'Check, seal and keep a capsule',
    description:
      'Evidence is moved out where the capsule would be larger than maxBytes (default 12288) and artifactRoots authorize artifactPath. The same capsule again is the same one. context_refused has the contract’s code.',
    body: recordCapsuleRequestSchema,
    response: recordedCapsuleSchema,
    errors: ['not_found', 'artifact_erased', 'private_content', 'context_refused'],
  },
  readCapsule: {
    method: 'GET',
    path: '/v1/workgroups/{workgroupId}/capsules/{capsuleHash}',
    scopes: ['workgroups:read'],
    status: 200,
    summary: 'Read a capsule as it was sealed',
    response: z.record(z.string(), z.unknown()),
    errors: ['not_found', 'artifact_erased'],
  },
} as const;
