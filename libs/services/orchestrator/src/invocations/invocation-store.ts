import type { JsonObject, RunError } from '@palimpsest/contracts';
import type { ModelName, ModelUsage } from '@palimpsest/kernel';
import type { RunKey } from '../orchestrator-ports.js';

/** `invocationId`: as `logicalInvocationId` gives it. */
export type InvocationKey = RunKey & { readonly invocationId: string };

/** What came of an invocation for good, without secrets. */
export type KeptAnswer =
  | { readonly kind: 'answered'; readonly value: JsonObject }
  | { readonly kind: 'failed'; readonly error: RunError };

/** What was billed so far, in order: the place of an entry never changes. */
type Billed = { readonly usages: readonly ModelUsage[] };

/** Of the request that the answer came of (host specification §6.8); absent where it had no exact bytes. */
type Keyed = { readonly cacheKey?: string };

/** An invocation whose answer and key are kept: its place in the run, who was asked, and what. */
export type KeptCall = ModelName & {
  readonly nodeId: string;
  readonly ordinal: number;
  readonly cacheKey: string;
};

export type Claim =
  | { readonly kind: 'claimed' }
  /** Somebody else asks, or did when they died. */
  | { readonly kind: 'taken' }
  | (Billed & Keyed & { readonly kind: 'answered'; readonly answer: KeptAnswer });

export type ClaimRequest = InvocationKey & {
  readonly nodeId: string;
  readonly ordinal: number;
  readonly name: ModelName;
  /** Names this very attempt: nobody else has the same. */
  readonly owner: string;
  readonly now: Date;
  readonly until: Date;
};

export type Settlement = InvocationKey &
  Billed &
  Keyed & {
    readonly owner: string;
    /** Absent where the invocation is to be made again. */
    readonly answer?: KeptAnswer;
  };

/**
 * Invocations of models (host specification §8.2): each is claimed before it is made, and its answer is kept, so that a
 * crash bills nobody twice knowingly. Times come from the caller.
 */
export interface InvocationStore {
  /** A claim that ended is anybody's. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** False where the claim is not the owner's any more. */
  renew(request: InvocationKey & { readonly owner: string; readonly until: Date }): Promise<boolean>;
  /**
   * Ends the owner's claim. What was billed is added in any case; of two answers the first stays, with its key. Gives what is kept
   * then.
   */
  settle(settlement: Settlement): Promise<Billed & { readonly answer?: KeptAnswer }>;
  /** Of one run, in no order: those with an answer and a key. */
  keptCalls(run: RunKey): Promise<readonly KeptCall[]>;
  /** Forgets invocations that were first made before, at most `limit`; how many. */
  purge(before: Date, limit: number): Promise<number>;
}
