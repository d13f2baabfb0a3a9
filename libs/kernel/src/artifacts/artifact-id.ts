import type { ArtifactType } from '@palimpsest/contracts';

/** The functions that content is known by; the kernel itself imports no cryptography. */
export type ContentHash = {
  readonly hmacSha256: (key: Uint8Array, parts: readonly Uint8Array[]) => Uint8Array;
  readonly sha256: (bytes: Uint8Array) => Uint8Array;
  /** Of a text's UTF-8, in lower-case hexadecimal. */
  readonly sha256Hex: (text: string) => string;
};

/** Bytes of the HMAC that an id shows: 192 bits, 32 characters. */
const ID_BYTES = 24;

/**
 * The id of content: HMAC-SHA-256 under the tenant's key over a label, the type, the origin and the
 * content's canonical bytes, truncated. A function of these alone, so that a retry finds the same id, and an id
 * says nothing to anyone without the key.
 */
export function artifactIdOf(
  hash: ContentHash,
  key: Uint8Array,
  content: { readonly type: ArtifactType; readonly origin: string; readonly bytes: Uint8Array },
): string {
  const label = new TextEncoder().encode(
    `palimpsest.artifact.v1\n${content.type}\n${JSON.stringify(content.origin)}\n`,
  );
  return `art_${base64url(hash.hmacSha256(key, [label, content.bytes]).subarray(0, ID_BYTES))}`;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
