import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureCheckOf } from './ed25519-keys.js';
import { keptHostKey, readHostKey } from './host-key-files.js';

describe('the key of a host in files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'palimpsest-keys-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('is made once in a data folder, for its owner only, with a public key beside it', () => {
    const data = join(folder, 'data');
    const made = keptHostKey(data);
    const said = Buffer.from('said');
    expect(readdirSync(data).sort()).toEqual(['host-key.pem', 'host-key.pub']);
    expect(statSync(join(data, 'host-key.pem')).mode & 0o777).toBe(0o600);
    const isSigned = signatureCheckOf([file('data/host-key.pub')]);
    const pem = file('data/host-key.pem');
    rmSync(join(data, 'host-key.pub'));
    const again = keptHostKey(data);
    expect(isSigned(again.keyId, said, again.sign(said))).toBe(true);
    expect(again.keyId).toBe(made.keyId);
    expect(file('data/host-key.pem')).toBe(pem);
    expect(file('data/host-key.pub')).toBe(made.publicKey);
  });

  it('is that of the file that the configuration names', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const path = join(folder, 'key.pem');
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(readHostKey(path).publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect(() => signatureCheckOf([file('key.pem')])).toThrow('This is no Ed25519 key in PEM.');
  });

  it.each([
    ['is not there', undefined, 'names no file that can be read'],
    ['is none', 'a secret of somebody', 'names a file that holds no Ed25519 private key in PEM (PKCS #8)'],
  ])('is refused where it %s, and not shown', (_, text, problem) => {
    const path = join(folder, 'key.pem');
    if (text !== undefined) writeFileSync(path, text);
    expect(() => readHostKey(path)).toThrow(
      `The configuration cannot be used:\n  PALIMPSEST_HOST_KEY_FILE: ${problem}`,
    );
  });
});
