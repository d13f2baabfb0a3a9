import { randomBytes } from 'node:crypto';
import type { IdSource } from '@palimpsest/kernel';

/** 128 random bits each, base64url. */
export function createIdSource(random: (bytes: number) => Buffer = randomBytes): IdSource {
  const opaque = (): string => random(16).toString('base64url');
  return { runId: () => `run_${opaque()}`, requestId: () => `req_${opaque()}` };
}
