import { generateKeyPairSync } from 'node:crypto';
import { hostKeyOf, signatureCheckOf } from './ed25519-keys.js';

function keyPair() {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

describe('the key of a host', () => {
  const said = Buffer.from('said');

  it('signs what its public key confirms, after others have followed it, too', () => {
    const [old, current] = [keyPair(), keyPair()];
    const isSigned = signatureCheckOf([current.publicKey, old.publicKey]);
    for (const { privateKey } of [old, current]) {
      const key = hostKeyOf(privateKey);
      expect(isSigned(key.keyId, said, key.sign(said))).toBe(true);
      expect(isSigned(key.keyId, Buffer.from('other'), key.sign(said))).toBe(false);
    }
    expect(hostKeyOf(old.privateKey).keyId).not.toBe(hostKeyOf(current.privateKey).keyId);
  });

  it('is not trusted where it is not known', () => {
    const key = hostKeyOf(keyPair().privateKey);
    expect(signatureCheckOf([keyPair().publicKey])(key.keyId, said, key.sign(said))).toBeUndefined();
  });

  it('is refused without being shown', () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    for (const pem of ['', 'secret', privateKey])
      expect(() => hostKeyOf(pem)).toThrow(
        expect.objectContaining({ code: 'validation_error', message: 'This is no Ed25519 key in PEM.' }),
      );
  });
});
