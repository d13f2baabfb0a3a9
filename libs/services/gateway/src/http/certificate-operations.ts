import { z } from 'zod';
import { CERTIFICATE_MEDIA_TYPE, hostKeyIdSchema } from '@palimpsest/contracts';

/** Operations of proof, for the list of all. */
export const CERTIFICATE_OPERATIONS = {
  readCertificate: {
    method: 'GET',
    path: '/v1/runs/{runId}/certificate',
    scopes: ['runs:read', 'artifacts:read'],
    status: 200,
    summary: 'Take the certificate of a run, to be checked without this server',
    description:
      'Lines of JSON: the run, its events with their links, the hashes of the content that they name, the signature of the host. Content is not in it. An answer without the last line, "end", is none. capability_required where the host has no key, or the run is older than the chains of the log.',
    mediaType: CERTIFICATE_MEDIA_TYPE,
    response: z.string(),
    errors: ['not_found', 'capability_required'],
  },
  readHostKeys: {
    method: 'GET',
    path: '/v1/host/keys',
    status: 200,
    summary: 'Read the public key that certificates are signed with',
    description: 'None where the host signs nothing. Keys of before a rotation are not among them.',
    response: z.object({
      keys: z.array(
        z.object({
          keyId: hostKeyIdSchema,
          algorithm: z.literal('Ed25519'),
          /** SPKI, PEM. */
          publicKey: z.string(),
        }),
      ),
    }),
    errors: [],
  },
} as const;
