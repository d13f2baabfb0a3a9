import { z } from 'zod';
import { recordedEventSchema } from './commands/event-log-requests.js';
import { eventLinkSchema, sha256HexSchema } from './event-link.js';
import { forkOriginSchema } from './events/own-loop-events.js';
import { artifactIdSchema, runIdSchema, tenantIdSchema } from './ids.js';

export const CERTIFICATE_FORMAT = 'palimpsest.certificate.v1';

/** A run that wrote some of the events: what its chain begins with. */
export const certifiedRunSchema = z.strictObject({
  tenantId: tenantIdSchema,
  runId: runIdSchema,
  /** ISO 8601 with milliseconds. */
  createdAt: z.string(),
  origin: forkOriginSchema.optional(),
});

/** SHA-256 of the canonical JSON of an artifact's content; null where it was erased. */
export const certifiedArtifactSchema = z.strictObject({
  artifactId: artifactIdSchema,
  sha256: sha256HexSchema.nullable(),
});

export const certificateSchema = z.strictObject({
  format: z.literal(CERTIFICATE_FORMAT),
  run: certifiedRunSchema,
  /** Of a fork: the runs that it shares events with, however far up. */
  ancestors: z.array(certifiedRunSchema),
  /** The link of the run's head. */
  link: sha256HexSchema,
  events: z.array(recordedEventSchema.extend({ chain: eventLinkSchema })),
  /** All that the events name, by id. */
  artifacts: z.array(certifiedArtifactSchema),
  signature: z.strictObject({
    algorithm: z.literal('Ed25519'),
    /** First 32 hexadecimal digits of SHA-256 over the public key (SPKI, DER). */
    keyId: z.string().regex(/^[0-9a-f]{32}$/, 'an id of a key'),
    value: z.string().regex(/^[0-9a-f]{128}$/, 'an Ed25519 signature in hexadecimal'),
  }),
});

export type CertifiedRun = z.infer<typeof certifiedRunSchema>;
export type CertifiedArtifact = z.infer<typeof certifiedArtifactSchema>;
export type Certificate = z.infer<typeof certificateSchema>;
