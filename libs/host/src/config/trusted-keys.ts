import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import type { ValuesMeta } from './variable-kinds.js';

const described = (meta: ValuesMeta): ValuesMeta => meta;

const KEY_ID = /^measurement-key-[a-z0-9._-]{1,64}$/;
/** As the context-efficiency contract takes them (§12.5): one key, and nothing around it. */
const SPKI_PEM =
  /^-----BEGIN PUBLIC KEY-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END PUBLIC KEY-----(?:\r?\n)?$/;

/**
 * Public keys by their ids. The contract trusts no malformed one and says nothing; a process that was given one does not start.
 * What is wrong is said with the place of a key or an id that is one, never with a text that may be anything.
 */
export const trustedKeys: z.ZodType<string, string> = z
  .string()
  .max(65_536, 'has more than 65536 characters')
  .superRefine((text, context) => {
    const problem = text.length > 65_536 ? undefined : problemOf(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta(described({ values: 'a JSON object of key ids and public keys (SPKI, PEM)' }));

function problemOf(text: string): string | undefined {
  const keys = objectIn(text);
  if (!keys) return 'must be a JSON object of key ids and public keys';
  const problems = Object.entries(keys).map(([id, key], index) => {
    if (!KEY_ID.test(id))
      return `has a key id, number ${index + 1}, that is not measurement-key- and 1 to 64 of a-z, 0-9, ".", "_" and "-"`;
    return isPublicKey(key) ? undefined : `has no Ed25519 public key (SPKI, PEM) under ${id}`;
  });
  return problems.find((problem) => problem !== undefined);
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function isPublicKey(key: unknown): boolean {
  if (typeof key !== 'string' || !SPKI_PEM.test(key)) return false;
  try {
    return createPublicKey({ key, format: 'pem', type: 'spki' }).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
