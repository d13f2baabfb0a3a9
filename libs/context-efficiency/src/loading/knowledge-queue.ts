import type { DeltaDecision } from '../vault-delta/decide-delta.js';

/** A delta that waits, by the writer whose call will carry it; the delta itself is opaque. */
export type PendingDelta<Delta> = { readonly writer: string; readonly delta: Delta };

/** Knowledge that waits for the next gate, in the order in which it came. */
export type KnowledgeQueue<Delta> = { readonly pending: readonly PendingDelta<Delta>[] };

/** One consolidated call to the vault. */
export type VaultCall<Delta> = { readonly writer: string; readonly deltas: readonly Delta[] };

/** What is called now, and what waits from then on. */
export type QueueStep<Delta> = {
  readonly calls: readonly VaultCall<Delta>[];
  readonly queue: KnowledgeQueue<Delta>;
};

export function emptyQueue<Delta>(): KnowledgeQueue<Delta> {
  return { pending: [] };
}

/**
 * Takes a judged delta (contract §10): a skip is dropped, a batch waits for the gate, and whatever cannot wait
 * takes along what its writer has pending, in one call.
 */
export function acceptDelta<Delta>(
  queue: KnowledgeQueue<Delta>,
  entry: PendingDelta<Delta>,
  { action }: Pick<DeltaDecision, 'action'>,
): QueueStep<Delta> {
  if (action === 'skip') return { calls: [], queue };
  const pending = [...queue.pending, entry];
  if (action === 'batch') return { calls: [], queue: { pending } };
  const own = pending.filter(({ writer }) => writer === entry.writer);
  const others = pending.filter(({ writer }) => writer !== entry.writer);
  return { calls: callsOf(own), queue: { pending: others } };
}

/** What one writer has pending goes, in one call; asked again, there is nothing left to call. */
export function flushWriter<Delta>({ pending }: KnowledgeQueue<Delta>, writer: string): QueueStep<Delta> {
  const own = pending.filter((waiting) => waiting.writer === writer);
  return { calls: callsOf(own), queue: { pending: pending.filter((waiting) => waiting.writer !== writer) } };
}

/** At a gate everything goes, one call for each writer; asked again, there is nothing left to call. */
export function flushAtGate<Delta>({ pending }: KnowledgeQueue<Delta>): QueueStep<Delta> {
  return { calls: callsOf(pending), queue: emptyQueue() };
}

function callsOf<Delta>(pending: readonly PendingDelta<Delta>[]): readonly VaultCall<Delta>[] {
  const byWriter = new Map<string, Delta[]>();
  for (const { writer, delta } of pending) {
    const deltas = byWriter.get(writer);
    if (deltas) deltas.push(delta);
    else byWriter.set(writer, [delta]);
  }
  return [...byWriter].map(([writer, deltas]) => ({ writer, deltas }));
}
