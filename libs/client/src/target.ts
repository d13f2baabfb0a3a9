import { InvalidTargetError } from './client-errors.js';

/** A server, and the key to it. */
export type Target = {
  /** The root of the server, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly key?: string | undefined;
};

/**
 * Checked before anything is sent: what a platform says of a header or a URL that it cannot take holds the key.
 *
 * @throws InvalidTargetError
 */
export function checkedTarget({ url, key }: Target): Target {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new InvalidTargetError('the URL of the server is no http(s) URL');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new InvalidTargetError('the URL of the server must not hold credentials');
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new InvalidTargetError('the API key has characters that no key has');
  }
  return { url: `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`, key };
}
