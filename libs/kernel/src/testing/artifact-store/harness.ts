import type { ArtifactStore, NewArtifact } from '../../ports/artifact-store.js';

/** An adapter under test; its tenants' keys come from {@link testTenantKey}. */
export type ArtifactStoreHarness = {
  readonly store: ArtifactStore;
  /** Changes one byte of what is stored, behind the adapter's back. */
  damage(tenantId: string, artifactId: string): Promise<void>;
  close(): Promise<void>;
};

/** The tenant whose key {@link testTenantKey} gives as the bytes 0 to 31. */
export const KNOWN_KEY_TENANT = 'known-key';

/** A key for each tenant, for adapters under test. */
export function testTenantKey(tenantId: string): Uint8Array {
  if (tenantId === KNOWN_KEY_TENANT) return Uint8Array.from({ length: 32 }, (_, index) => index);
  const key = new Uint8Array(32).fill(255);
  key.set(new TextEncoder().encode(tenantId).subarray(0, 32));
  return key;
}

/** What every case gets: the adapter, and a tenant that nobody has used. */
export type ArtifactStoreCase = ArtifactStoreHarness & { readonly tenantId: string };

export type OpenCase = () => ArtifactStoreCase;

export function message(text: string): NewArtifact {
  return { type: 'message', content: { role: 'user', text } };
}

export function summary(text: string, derivedFrom: readonly string[]): NewArtifact {
  return { type: 'context.summary', content: { text, facts: [] }, derivedFrom };
}

/** Stores one artifact and gives its id. */
export async function putOne(
  { store, tenantId }: ArtifactStoreCase,
  runId: string,
  artifact: NewArtifact,
): Promise<string> {
  const [artifactId] = await store.put(tenantId, runId, [artifact]);
  return artifactId ?? '';
}

/** Ids that no store can hold, but that a caller can pass. */
export const MALFORMED_IDS: readonly string[] = [
  '',
  'art_',
  'art_short',
  `art_${'x'.repeat(44)}`,
  `art_${'x'.repeat(22)}\u0000`,
  `art_${'x'.repeat(22)}\ud800`,
  '../../healthz',
  "' OR 1=1 --",
];
