import {
  acceptDelta,
  flushAtGate,
  flushWriter,
  type KnowledgeQueue,
  type QueueStep,
  type VaultCall,
} from '@palimpsest/context-efficiency';
import type { AcceptKnowledge, FlushKnowledge, KnowledgeCalls } from '@palimpsest/contracts/registry';
import { inOpenWorkgroup } from '../workgroup/expire-leases.js';
import { requireHolder } from '../workgroup/find-lineage.js';
import { MOST_WAITING_DELTAS, type Workgroup } from '../workgroup/workgroup.js';
import type { WorkgroupEvent } from '../workgroup/workgroup-events.js';

/**
 * A judged piece of knowledge (contract §10) of whoever holds the lineage; `stale_fence` from anybody else. Its text is durable
 * before. One that the workgroup has already, by its hash or its artifact, comes to nothing, and so does a `skip`.
 *
 * The calls in the answer are the caller's to make. What it crashed before making is not lost: the same command id gets
 * the same calls, and without one the events say them, as all that a writer had accepted since it was flushed before.
 * One of the calls may be another writer's: where the queue is full, what has waited for longest makes room.
 */
export const decideAcceptKnowledge = inOpenWorkgroup<AcceptKnowledge, KnowledgeCalls>(
  (workgroup, command) => {
    requireHolder(workgroup, command.lineageId, command.fence);
    const queue = queueOf(workgroup);
    if (isKnown(workgroup, command))
      return { events: [], answer: { ...answerOf({ calls: [], queue }), duplicate: true } };
    const { lineageId: writer, artifactId, deltaHash, action } = command;
    const room = roomFor(queue, action);
    const step = acceptDelta(room.queue, { writer, delta: artifactId }, { action });
    const accepted: WorkgroupEvent = {
      type: 'palimpsest.knowledge.accepted',
      payload: { writer, artifactId, deltaHash, action },
    };
    return {
      events: [...flushed(null, room), ...(action === 'skip' ? [] : [accepted]), ...flushed(null, step)],
      answer: answerOf({ ...step, calls: [...room.calls, ...step.calls] }),
    };
  },
);

/** At a gate: one call for each writer, also of those whose lineages are gone; nothing where nothing waits. */
export const decideFlushKnowledge = inOpenWorkgroup<FlushKnowledge, KnowledgeCalls>((workgroup, { gate }) => {
  const step = flushAtGate(queueOf(workgroup));
  return { events: flushed(gate, step), answer: answerOf(step) };
});

function isKnown(
  { knownDeltas, knowledge }: Workgroup,
  { deltaHash, artifactId }: Pick<AcceptKnowledge, 'deltaHash' | 'artifactId'>,
): boolean {
  return knownDeltas.includes(deltaHash) || knowledge.some((waiting) => waiting.artifactId === artifactId);
}

/**
 * In a full queue the call of whoever has waited for longest is made now. A writer that is gone never comes to its gate: were it the
 * new delta's call instead, each further one would be a call of its own.
 */
function roomFor(queue: KnowledgeQueue<string>, action: AcceptKnowledge['action']): QueueStep<string> {
  const [longest] = queue.pending;
  const isFull = action === 'batch' && queue.pending.length >= MOST_WAITING_DELTAS;
  return isFull && longest ? flushWriter(queue, longest.writer) : { calls: [], queue };
}

/** A delta is its artifact's id: the text is not looked at. */
function queueOf({ knowledge }: Workgroup): KnowledgeQueue<string> {
  return { pending: knowledge.map(({ writer, artifactId }) => ({ writer, delta: artifactId })) };
}

function flushed(gate: string | null, { calls }: QueueStep<string>): readonly WorkgroupEvent[] {
  if (calls.length === 0) return [];
  const writers = calls.map(({ writer }) => writer);
  return [{ type: 'palimpsest.knowledge.flushed', payload: { gate, writers } }];
}

function answerOf({ calls, queue }: QueueStep<string>): KnowledgeCalls {
  return { calls: calls.map(callOf), waiting: queue.pending.length };
}

function callOf({ writer, deltas }: VaultCall<string>): KnowledgeCalls['calls'][number] {
  return { writer, artifactIds: [...deltas] };
}
