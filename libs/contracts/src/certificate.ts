import { z } from 'zod';
import { eventLinkSchema, sha256HexSchema } from './event-link.js';
import { forkOriginSchema } from './events/own-loop-events.js';
import { artifactIdSchema, runIdSchema, sequenceSchema, tenantIdSchema } from './ids.js';
import { trustedJsonObjectSchema } from './storable-json.js';
import { tokenCountsSchema } from './token-counts.js';

/**
 * A certificate is lines of JSON, so that neither who writes nor who checks one holds a run: first the run, then its
 * events in order, then every artifact that they name in the order in which they first do, last the end.
 */
export const CERTIFICATE_FORMAT = 'palimpsest.certificate.v1';
export const CERTIFICATE_MEDIA_TYPE = 'application/x-ndjson';
/** Most bytes of one line: the longest are the first one of a fork with thousands of ancestors, and large payloads. */
export const CERTIFICATE_LINE_BYTES = 8 * 1024 * 1024;

/** ISO 8601 with milliseconds, UTC. */
const instant = z.iso.datetime({ precision: 3 });

/** A run that wrote some of the events: what its chain begins with. */
export const certifiedRunSchema = z.strictObject({
  tenantId: tenantIdSchema,
  runId: runIdSchema,
  createdAt: instant,
  origin: forkOriginSchema.optional(),
});

export const certificateRunLineSchema = z.strictObject({
  line: z.literal('run'),
  format: z.literal(CERTIFICATE_FORMAT),
  run: certifiedRunSchema,
  /** Of a fork: the runs that it shares events with, the nearest first. */
  ancestors: z.array(certifiedRunSchema),
});

/** An event as it was written: a fork's shared ones by another run, with the cause that they had there. */
export const certificateEventLineSchema = z.strictObject({
  line: z.literal('event'),
  sequence: sequenceSchema,
  type: z.string(),
  payload: trustedJsonObjectSchema,
  schemaVersion: z.int(),
  nodeId: z.string().optional(),
  counts: tokenCountsSchema.optional(),
  timestamp: z.string(),
  ...eventLinkSchema.shape,
});

/** What is known of an artifact's content: SHA-256 of its canonical JSON, or why there is none. */
export const certifiedArtifactSchema = z.union([
  z.strictObject({ artifactId: artifactIdSchema, sha256: sha256HexSchema }),
  z.strictObject({ artifactId: artifactIdSchema, absent: z.enum(['erased', 'missing', 'damaged']) }),
]);

export const certificateArtifactLineSchema = z.strictObject({
  line: z.literal('artifact'),
  artifact: certifiedArtifactSchema,
});

export const hostKeyIdSchema = z.string().regex(/^[0-9a-f]{32}$/, 'an id of a key');

export const certificateEndLineSchema = z.strictObject({
  line: z.literal('end'),
  issuedAt: instant,
  /** How many lines there are of each kind. */
  events: z.int().min(0),
  artifacts: z.int().min(0),
  /** Of the run's head; of the beginning of a fork without events of its own. */
  link: sha256HexSchema,
  signature: z.strictObject({
    algorithm: z.literal('Ed25519'),
    /** First 32 hexadecimal digits of SHA-256 over the public key (SPKI, DER). */
    keyId: hostKeyIdSchema,
    value: z.string().regex(/^[0-9a-f]{128}$/, 'an Ed25519 signature in hexadecimal'),
  }),
});

export const certificateLineSchema = z.discriminatedUnion('line', [
  certificateRunLineSchema,
  certificateEventLineSchema,
  certificateArtifactLineSchema,
  certificateEndLineSchema,
]);

export type CertifiedRun = z.infer<typeof certifiedRunSchema>;
export type CertifiedArtifact = z.infer<typeof certifiedArtifactSchema>;
export type CertificateRunLine = z.infer<typeof certificateRunLineSchema>;
export type CertificateEventLine = z.infer<typeof certificateEventLineSchema>;
export type CertificateEndLine = z.infer<typeof certificateEndLineSchema>;
export type CertificateLine = z.infer<typeof certificateLineSchema>;
