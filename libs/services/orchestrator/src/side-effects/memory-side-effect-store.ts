import type { CountSideEffects } from '@palimpsest/contracts';
import type { SideEffectStore } from './side-effect-store.js';

/** Effects of one process's life, for tests. */
export class MemorySideEffectStore implements SideEffectStore {
  readonly #performed = new Map<string, Set<string>>();

  perform({ tenantId, nodeId, invocationId }: Parameters<SideEffectStore['perform']>[0]): Promise<void> {
    const key = JSON.stringify([tenantId, nodeId]);
    this.#performed.set(key, new Set(this.#performed.get(key)).add(invocationId));
    return Promise.resolve();
  }

  count({ tenantId, nodeId }: CountSideEffects): Promise<number> {
    return Promise.resolve(this.#performed.get(JSON.stringify([tenantId, nodeId]))?.size ?? 0);
  }
}
