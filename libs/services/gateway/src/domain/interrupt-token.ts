import { z } from 'zod';

/** What a token lets its holder do with one interrupt (host specification §3.5). */
export const TOKEN_INTENTS = ['resolve', 'inspect'] as const;

export type TokenIntent = (typeof TOKEN_INTENTS)[number];

export const tokenPayloadSchema = z.strictObject({
  tenantId: z.string(),
  runId: z.string(),
  nodeId: z.string(),
  interruptId: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.int(),
  intent: z.enum(TOKEN_INTENTS),
});

export type TokenPayload = z.infer<typeof tokenPayloadSchema>;

/** Longest life of a token. */
const LIFE_MS = 30 * 60_000;
/** Tokens made within this time end together, so that a run read twice is the same text. */
const BUCKET_MS = 5 * 60_000;

export type TokenLife = {
  readonly now: Date;
  readonly requestedAt: string;
  /** Of the interrupt; absent or 0: it waits for as long as it takes. */
  readonly timeoutMs?: number | undefined;
};

/** When a token made now ends: after 25 to 30 minutes, and never later than the interrupt itself. */
export function tokenExpiry({ now, requestedAt, timeoutMs = 0 }: TokenLife): number {
  const usual = now.getTime() - (now.getTime() % BUCKET_MS) + LIFE_MS;
  return timeoutMs > 0 ? Math.min(usual, Date.parse(requestedAt) + timeoutMs) : usual;
}

const TOKEN = /^([A-Za-z0-9_-]{2,900})\.([A-Za-z0-9_-]{43})$/;

export type TokenParts = { readonly payload: string; readonly signature: string };

/** The two base64url parts of a token, or undefined where the text is none. */
export function tokenParts(text: string): TokenParts | undefined {
  const [, payload, signature] = TOKEN.exec(text) ?? [];
  return payload !== undefined && signature !== undefined ? { payload, signature } : undefined;
}
