import type { CountSideEffects } from '@palimpsest/contracts';
import type { InvocationKey } from '../invocations/invocation-store.js';

/** An outside that tests can count in; test seam. */
export interface SideEffectStore {
  /** The effect of a node's invocation. It counts once, however often it is performed under one invocation id. */
  perform(invocation: InvocationKey & { readonly nodeId: string }): Promise<void>;
  /** Effects that a tenant's nodes of this id had, in all runs. */
  count(query: CountSideEffects): Promise<number>;
}
