import type { MockAnswer, ProgramMock } from '@palimpsest/contracts';
import type { InvocationKey } from '../invocations/invocation-store.js';

/** How a node names the provider whose answers a test programs. */
export const MOCK_PROVIDER = 'mock';

/** What the provider `mock` answers, by tenant and node; test seam. */
export interface MockProgramStore {
  /** Replaces what was there. */
  program(program: ProgramMock): Promise<void>;
  /** The node's next answer, which is this invocation's for good: asked again, it gets the same. Undefined at the end. */
  take(call: InvocationKey & { readonly nodeId: string }): Promise<MockAnswer | undefined>;
}
