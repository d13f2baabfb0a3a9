import type { WorkflowVersion } from '@palimpsest/contracts';

/** Owner of the definitions that every tenant sees. */
export const HOST = '';

export type DefinitionEntry = WorkflowVersion & {
  /** A tenant, or {@link HOST}. */
  readonly owner: string;
  /** True for a bundled conformance fixture. */
  readonly fixture: boolean;
};

/**
 * Workflow definitions: versions that never change and never leave, as runs stay with theirs, and for each owner and
 * workflow id the version in force.
 */
export interface DefinitionStore {
  /** Puts a version in force. False where it was so before; then nothing is written. */
  put(entry: DefinitionEntry, at: Date): Promise<boolean>;
  version(digest: string): Promise<WorkflowVersion | undefined>;
  /** The version in force that a tenant sees under an id: its own before the host's. */
  inForce(tenantId: string, workflowId: string): Promise<WorkflowVersion | undefined>;
  /** Ids of the host's fixtures, in code point order. */
  fixtures(): Promise<readonly string[]>;
  /** Takes the host's other fixtures out of force. */
  retainFixtures(workflowIds: readonly string[]): Promise<void>;
  /** Takes everything that a tenant owns out of force; answers its ids, in code point order. */
  forget(tenantId: string): Promise<readonly string[]>;
}
