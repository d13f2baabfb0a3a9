import { createHash, createHmac } from 'node:crypto';
import { artifactIdOf, type ContentHash } from './artifact-id.js';

const HASH: ContentHash = {
  hmacSha256: (key, parts) => createHmac('sha256', key).update(Buffer.concat(parts)).digest(),
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
};
const KEY = Uint8Array.from({ length: 32 }, (_, index) => index);
const CONTENT = {
  type: 'message',
  origin: '',
  bytes: Buffer.from('{"role":"user","text":"hello"}'),
} as const;

describe('artifact id', () => {
  it('is the fixed function of key, type and canonical bytes that stored ids rely on', () => {
    expect(artifactIdOf(HASH, KEY, CONTENT)).toBe('art_l2hfHfMXJ6oIPaiIdUpKgEnCBrciXDiJ');
  });

  it('changes with the key, the type and the origin', () => {
    const ids = [
      artifactIdOf(HASH, KEY, CONTENT),
      artifactIdOf(
        HASH,
        KEY.map((byte) => byte ^ 1),
        CONTENT,
      ),
      artifactIdOf(HASH, KEY, { ...CONTENT, type: 'context.summary' }),
      artifactIdOf(HASH, KEY, { ...CONTENT, origin: 'run_1/0' }),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});
