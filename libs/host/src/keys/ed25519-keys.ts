import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { ValidationError } from '@palimpsest/kernel';

/** The key that a host signs the heads of runs with. */
export type HostKey = {
  readonly keyId: string;
  /** SPKI, PEM. */
  readonly publicKey: string;
  readonly sign: (said: Uint8Array) => string;
};

/** An Ed25519 private key as PKCS #8 PEM. What is wrong with it is not said: it is a secret. */
export function hostKeyOf(pem: string): HostKey {
  const key = ed25519(() => createPrivateKey(pem));
  const publicKey = createPublicKey(key);
  return {
    keyId: keyIdOf(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (said) => sign(null, said, key).toString('hex'),
  };
}

/** Keys that were the host's at any time, as SPKI PEM. Undefined: no such key is among them. */
export function signatureCheckOf(
  publicKeys: readonly string[],
): (keyId: string, said: Uint8Array, signature: string) => boolean | undefined {
  const keys = new Map(publicKeys.map(publicKeyOf).map((key) => [keyIdOf(key), key]));
  return (keyId, said, signature) => {
    const key = keys.get(keyId);
    return key && verify(null, said, key, Buffer.from(signature, 'hex'));
  };
}

/** A private key would do as well, and is refused: it is not to be where certificates are checked. */
function publicKeyOf(pem: string): KeyObject {
  return ed25519(() => (pem.includes('PRIVATE KEY') ? undefined : createPublicKey(pem)));
}

function keyIdOf(publicKey: KeyObject): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('hex').slice(0, 32);
}

function ed25519(read: () => KeyObject | undefined): KeyObject {
  const key = keyFrom(read);
  if (key?.asymmetricKeyType !== 'ed25519') throw new ValidationError('This is no Ed25519 key in PEM.');
  return key;
}

function keyFrom(read: () => KeyObject | undefined): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
