import type { ForkOrigin, JsonObject, NewRunEvent, RecordedEvent } from '@palimpsest/contracts';
import { hasCode } from '../../errors/palimpsest-error.js';
import type { AppendRequest, EventLog, ForkRequest, ReadRunRequest } from '../../ports/event-log.js';

/** An adapter under test. */
export type EventLogHarness = { readonly log: EventLog; close(): Promise<void> };

/** What every case gets: the adapter, and a tenant that nobody has used. */
export type EventLogCase = { readonly log: EventLog; readonly tenantId: string };

export type OpenCase = () => EventLogCase;

export const AT = new Date('2026-03-04T05:06:07.089Z');

export function later(milliseconds: number): Date {
  return new Date(AT.getTime() + milliseconds);
}

/** An event that says which one it is. */
export function noted(note: JsonObject[string], rest: Partial<NewRunEvent> = {}): NewRunEvent {
  return { type: 'test.noted', payload: { note }, schemaVersion: 1, ...rest };
}

export function notedMany(count: number, from = 0): NewRunEvent[] {
  return Array.from({ length: count }, (_, index) => noted(from + index));
}

type RunOptions = Partial<AppendRequest> & { readonly runId: string };

/** Of the run `run`, with one event. */
export function startRequest(tenantId: string): AppendRequest {
  return {
    tenantId,
    runId: 'run',
    expectedHead: 'no-run',
    workflowId: 'test-workflow',
    events: [noted(0)],
    at: AT,
  };
}

/** Starts a run with the events given, or with one. */
export function startRun({ log, tenantId }: EventLogCase, options: RunOptions) {
  return log.append({ ...startRequest(tenantId), ...options });
}

/** Appends behind the head that is expected. */
export function extend({ log, tenantId }: EventLogCase, options: RunOptions & { expectedHead: number }) {
  return log.append({ tenantId, events: [noted(options.expectedHead + 1)], at: AT, ...options });
}

export function forkRun(
  { log, tenantId }: EventLogCase,
  runId: string,
  origin: Partial<ForkOrigin> & Pick<ForkOrigin, 'runId' | 'fromSequence'>,
) {
  return log.fork(forkRequest(tenantId, runId, { mode: 'branch', ...origin }));
}

export function forkRequest(tenantId: string, runId: string, origin: ForkOrigin): ForkRequest {
  return { tenantId, runId, origin, at: later(500), status: 'running', state: { forked: true } };
}

type Selection = Partial<ReadRunRequest> & { readonly runId: string };

/** All events that pages lead to, from the start, or from the end with `backwards`. */
export async function readWhole(
  { log, tenantId }: EventLogCase,
  selection: Selection,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  let fromSequence: number | undefined = selection.fromSequence ?? (selection.backwards ? 1_000_000 : 0);
  while (fromSequence !== undefined) {
    const page = await log.readRun({ tenantId, ...selection, fromSequence });
    events.push(...page.events);
    fromSequence = page.next;
  }
  return events;
}

export async function notes(testCase: EventLogCase, selection: Selection): Promise<unknown[]> {
  return (await readWhole(testCase, selection)).map(({ payload }) => payload['note']);
}

/** What became of several attempts at once: what the winners got, and the codes of the others. */
export async function race<Result>(attempts: readonly Promise<Result>[]) {
  const settled = await Promise.allSettled(attempts);
  return {
    won: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    lost: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : [])),
  };
}

export function isConflict(error: unknown): boolean {
  return hasCode(error, 'sequence_conflict');
}

export function range(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}
