import { factOf, isFacts } from '../json/facts.js';

export const MAX_KEYS_LENGTH = 65_536;

const SPKI_PEM =
  /^-----BEGIN PUBLIC KEY-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END PUBLIC KEY-----(?:\r?\n)?$/;

/** The public key of a signer (contract §12.5); `undefined` where the keys, or this one, are missing or malformed. */
export function trustedKey(keys: string | undefined, signer: string): string | undefined {
  if (!keys || keys.length > MAX_KEYS_LENGTH) return undefined;
  const entries: unknown = JSON.parse(keys);
  const key = isFacts(entries) ? factOf(entries, signer) : undefined;
  return typeof key === 'string' && SPKI_PEM.test(key) ? key : undefined;
}
