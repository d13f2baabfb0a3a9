import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private key in a file of its own, as an operator gives it to the gateway. */
export type HostKeyFile = { readonly path: string; remove(): Promise<void> };

export function makeHostKeyFile(): HostKeyFile {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-host-key-'));
  const path = join(folder, 'host-key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return { path, remove: async () => rmSync(folder, { recursive: true }) };
}

/** What an auditor has of the host: its public keys, by their ids. */
export function signedBy(
  keys: readonly { readonly keyId: string; readonly publicKey: string }[],
): (keyId: string, said: Uint8Array, signature: string) => boolean | undefined {
  return (keyId, said, signature) => {
    const key = keys.find((each) => each.keyId === keyId);
    return key && verify(null, said, createPublicKey(key.publicKey), Buffer.from(signature, 'hex'));
  };
}
