// The one file of this library that knows the platform: it hashes and checks signatures, both functions of their
// arguments alone.
import { createHash, createPublicKey, verify } from 'node:crypto';

/** SHA-256 over the UTF-8 bytes of a text. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Bare lower-case hexadecimal. */
export function hashOf(text: string): string {
  return sha256(text).toString('hex');
}

/** `sha256:` and the hash (contract §2). */
export function digestOf(text: string): string {
  return `sha256:${hashOf(text)}`;
}

export type SignedText = {
  readonly text: string;
  /** Standard base64, with padding or without. */
  readonly signature: string;
  /** An SPKI public key in PEM. */
  readonly publicKey: string;
};

/** Ed25519 over the UTF-8 bytes of a text. Throws where the key cannot be read. */
export function isSignedBy({ text, signature, publicKey }: SignedText): boolean {
  const key = createPublicKey({ key: publicKey, format: 'pem', type: 'spki' });
  const bytes = Buffer.from(signature, 'base64');
  const standard = bytes.toString('base64').replace(/=+$/, '') === signature.replace(/=+$/, '');
  return standard && key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, bytes);
}
