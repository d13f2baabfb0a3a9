import type { DivergingPart, FirstDivergence, RecordedEvent } from '@palimpsest/contracts';
import { readEvents, type EventLog } from '@palimpsest/kernel';
import type { ComparedLog } from './domain/ancestry.js';
import { divergingPart } from './domain/event-difference.js';

export type Divergence = Pick<FirstDivergence, 'sequence' | 'part' | 'run' | 'other'>;

export type ComparedPair = { readonly run: ComparedLog; readonly other: ComparedLog };

/** The first place from `from` on where two logs, as of their headers, differ. A page of each is held at a time. */
export async function firstDivergence(
  eventLog: EventLog,
  { run, other }: ComparedPair,
  from: number,
): Promise<Divergence | undefined> {
  const [own, others] = [eventsOf(eventLog, run, from), eventsOf(eventLog, other, from)];
  const [ids, otherIds] = [idsOf(run), idsOf(other)];
  for (;;) {
    const [one, two] = await Promise.all([own.next(), others.next()]);
    if (one.done && two.done) return undefined;
    if (one.done || two.done) return ended(one.value ?? undefined, two.value ?? undefined);
    const part = divergingPart({ event: one.value, ids }, { event: two.value, ids: otherIds });
    if (part) return divergenceAt(part, one.value, two.value);
  }
}

function eventsOf(eventLog: EventLog, { header }: ComparedLog, from: number) {
  const { tenantId, runId, head } = header;
  return readEvents(eventLog, { tenantId, runId, from, to: head });
}

function idsOf({ ancestry }: ComparedLog): ReadonlySet<string> {
  return new Set(ancestry.map(({ runId }) => runId));
}

function ended(run: RecordedEvent | undefined, other: RecordedEvent | undefined): Divergence {
  return {
    sequence: (run ?? other)?.sequence ?? 0,
    part: 'end',
    ...(run && { run: named(run) }),
    ...(other && { other: named(other) }),
  };
}

function divergenceAt(part: DivergingPart, run: RecordedEvent, other: RecordedEvent): Divergence {
  return { sequence: run.sequence, part, run: named(run), other: named(other) };
}

function named({ type, nodeId }: RecordedEvent): { type: string; nodeId?: string } {
  return { type, ...(nodeId !== undefined && { nodeId }) };
}
