import { z } from 'zod';

/** What a key may do (host specification §2.1; from `workgroups:read` on our own). Scopes do not imply each other. */
export const SCOPES = [
  'manifest:read',
  'runs:create',
  'runs:read',
  'runs:cancel',
  'artifacts:read',
  'artifacts:erase',
  'webhooks:manage',
  'approvals:respond',
  'packs:publish',
  'packs:yank',
  'packs:yank-revert',
  'audit:read',
  'workspace:read',
  'workspace:write',
  'workgroups:read',
  'workgroups:write',
  'workgroups:coordinate',
  'telemetry:write',
  'telemetry:read',
  'rollouts:read',
  'rollouts:manage',
  'context:decide',
] as const;

export type Scope = (typeof SCOPES)[number];

export const scopeSchema = z.enum(SCOPES);

/** Of a tenant and of all its keys: what is made with a test key never meets what is live (host specification §2.1). */
export const KEY_KINDS = ['live', 'test'] as const;

export type KeyKind = (typeof KEY_KINDS)[number];

/** How every test key begins, and no live key. */
export const TEST_KEY_PREFIX = 'pal_test_';

const LIVE_KEY_PREFIX = 'pal_';

/** Whoever holds a valid key. */
export type Caller = {
  readonly tenantId: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** True: the key, and with it the tenant, is for tests. */
  readonly testKey: boolean;
};

const KEY = /^pal_(?:test_)?([A-Za-z0-9]{12})_[A-Za-z0-9_-]{43}$/;

/** The public part of a key, or undefined where the text is no key of ours. */
export function keyIdOf(key: string): string | undefined {
  return KEY.exec(key)?.[1];
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A key made of 44 random bytes: 12 for the public part, 32 secret ones. */
export function keyFrom(random: Uint8Array, kind: KeyKind = 'live'): string {
  const publicPart = [...random.subarray(0, 12)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const secret = btoa(String.fromCharCode(...random.subarray(12, 44)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return `${kind === 'test' ? TEST_KEY_PREFIX : LIVE_KEY_PREFIX}${publicPart}_${secret}`;
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
