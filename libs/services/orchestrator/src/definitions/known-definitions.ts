import type { WorkflowVersion } from '@palimpsest/contracts';
import type { DefinitionStore } from './definition-store.js';

/** Versions that are remembered, those used last. A definition may have a thousand nodes. */
const MOST_VERSIONS = 256;

/** Versions by digest: they never change, so one that was read once is not read again while it is remembered. */
export class KnownDefinitions {
  readonly #remembered = new Map<string, WorkflowVersion>();

  constructor(
    private readonly store: Pick<DefinitionStore, 'version' | 'inForce'>,
    private readonly mostVersions = MOST_VERSIONS,
  ) {}

  async version(digest: string): Promise<WorkflowVersion | undefined> {
    const version = this.#remembered.get(digest) ?? (await this.store.version(digest));
    if (version) this.#remember(version);
    return version;
  }

  /** Asked for anew each time: another version may be in force. */
  inForce(tenantId: string, workflowId: string): Promise<WorkflowVersion | undefined> {
    return this.store.inForce(tenantId, workflowId);
  }

  #remember(version: WorkflowVersion): void {
    this.#remembered.delete(version.digest);
    this.#remembered.set(version.digest, version);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > this.mostVersions && oldest !== undefined) this.#remembered.delete(oldest);
  }
}
