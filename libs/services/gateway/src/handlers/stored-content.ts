import { TerminalError, type ArtifactStore, type NewArtifact } from '@palimpsest/kernel';

/** Whose content it is; the scope is that of a workgroup or an environment. */
export type ContentPlace = { readonly tenantId: string; readonly scope: string };

/** Stores one content; its artifact's id. Idempotent for equal content of one origin. */
export async function storeContent(
  artifacts: ArtifactStore,
  { tenantId, scope }: ContentPlace,
  content: NewArtifact,
): Promise<string> {
  const [artifactId] = await artifacts.put(tenantId, scope, [content]);
  if (artifactId === undefined) throw new NothingStoredError();
  return artifactId;
}

class NothingStoredError extends TerminalError {
  constructor() {
    super('internal_error', 'The artifact store answered for nothing.');
  }
}
