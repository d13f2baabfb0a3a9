import { nodeContentHash } from '@palimpsest/adapter-postgres';
import type { CertificateLine, RecordedEvent } from '@palimpsest/contracts';
import { certifiedEvent, ChainWalk, isCausedEarlier, type ChainRun } from '@palimpsest/kernel';
import { BrokenChainError, UnchainedRunError } from './certificate-errors.js';

/** A host signs nothing that it has not looked at: events one after another, as the verifier of a certificate takes them. */
export class SignedEvents {
  readonly #runId: string;
  readonly #runIds: ReadonlySet<string>;
  readonly #walk: ChainWalk;

  /** A run, and those that it shares events with. */
  constructor(run: ChainRun, ancestors: readonly ChainRun[]) {
    const runs = [...ancestors, run];
    this.#runId = run.runId;
    this.#runIds = new Set(runs.map(({ runId }) => runId));
    this.#walk = new ChainWalk(nodeContentHash, runs);
  }

  /** @throws BrokenChainError, UnchainedRunError */
  lineOf(event: RecordedEvent): CertificateLine {
    const { sequence, chain } = event;
    const broken = this.#walk.takes(event);
    if (broken) throw new BrokenChainError(this.#runId, broken);
    if (!chain) throw new UnchainedRunError(this.#runId);
    // The cause as it was written: a fork shows that of a shared event in its own log.
    const { causationId } = chain;
    if (!isCausedEarlier(this.#runIds, { sequence, causationId }))
      throw new BrokenChainError(this.#runId, { sequence, what: 'cause' });
    return certifiedEvent(event, chain);
  }

  /** How many they are, where the last one's link is the head's. @throws BrokenChainError */
  endAt(head: string): number {
    const broken = this.#walk.endsAt(head);
    if (broken) throw new BrokenChainError(this.#runId, broken);
    return this.#walk.next;
  }
}
