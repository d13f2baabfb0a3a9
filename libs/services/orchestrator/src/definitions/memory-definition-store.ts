import type { WorkflowVersion } from '@palimpsest/contracts';
import { HOST, type DefinitionEntry, type DefinitionStore } from './definition-store.js';

/** Definitions of one process's life, for tests. */
export class MemoryDefinitionStore implements DefinitionStore {
  readonly #versions = new Map<string, WorkflowVersion>();
  readonly #entries = new Map<string, DefinitionEntry>();

  put(entry: DefinitionEntry): Promise<boolean> {
    const { definition, digest, owner, fixture } = entry;
    const key = keyOf(owner, definition.id);
    const before = this.#entries.get(key);
    if (before?.digest === digest && before.fixture === fixture) return Promise.resolve(false);
    if (!this.#versions.has(digest)) this.#versions.set(digest, { definition, digest });
    this.#entries.set(key, entry);
    return Promise.resolve(true);
  }

  version(digest: string): Promise<WorkflowVersion | undefined> {
    return Promise.resolve(this.#versions.get(digest));
  }

  inForce(tenantId: string, workflowId: string): Promise<WorkflowVersion | undefined> {
    const entry =
      this.#entries.get(keyOf(tenantId, workflowId)) ?? this.#entries.get(keyOf(HOST, workflowId));
    return Promise.resolve(entry && this.#versions.get(entry.digest));
  }

  fixtures(): Promise<readonly string[]> {
    return Promise.resolve(this.#ids((entry) => entry.owner === HOST && entry.fixture));
  }

  retainFixtures(workflowIds: readonly string[]): Promise<void> {
    for (const id of this.#ids((entry) => entry.owner === HOST && entry.fixture))
      if (!workflowIds.includes(id)) this.#entries.delete(keyOf(HOST, id));
    return Promise.resolve();
  }

  forget(tenantId: string): Promise<readonly string[]> {
    const ids = this.#ids((entry) => entry.owner === tenantId);
    for (const id of ids) this.#entries.delete(keyOf(tenantId, id));
    return Promise.resolve(ids);
  }

  #ids(isWanted: (entry: DefinitionEntry) => boolean): string[] {
    return [...this.#entries.values()]
      .filter(isWanted)
      .map(({ definition }) => definition.id)
      .sort();
  }
}

function keyOf(owner: string, workflowId: string): string {
  return `${owner}/${workflowId}`;
}
