import { encodeArtifact, MAX_ARTIFACT_BYTES } from './sealed-artifact.js';

describe('the limit of an artifact', () => {
  it('counts bytes, not characters, and takes exactly the limit', () => {
    const room = MAX_ARTIFACT_BYTES - 2;
    expect(encodeArtifact({ type: 'message', content: 'a'.repeat(room) }).bytes).toHaveLength(
      MAX_ARTIFACT_BYTES,
    );
    expect(encodeArtifact({ type: 'message', content: 'é'.repeat(room / 2) }).bytes).toHaveLength(
      MAX_ARTIFACT_BYTES,
    );
    const tooLarge = expect.objectContaining({ code: 'payload_too_large', details: expect.any(Object) });
    expect(() => encodeArtifact({ type: 'message', content: 'a'.repeat(room + 1) })).toThrow(tooLarge);
    expect(() => encodeArtifact({ type: 'message', content: `é${'a'.repeat(room - 1)}` })).toThrow(tooLarge);
  });
});
