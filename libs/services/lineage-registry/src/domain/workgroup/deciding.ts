import { ContextRefusal } from '@palimpsest/context-efficiency';
import { ContextRefusedError, TerminalError } from '@palimpsest/kernel';
import type { Decision } from './decision.js';
import { evolve } from './evolve.js';
import type { Workgroup } from './workgroup.js';
import type { WorkgroupEvent } from './workgroup-events.js';

/** `now` is the database's clock behind the lock, in milliseconds. */
export type Decide<Command, Answer> = (
  workgroup: Workgroup,
  command: Command,
  now: number,
) => Decision<Answer>;

/** A state and the time at which something is decided on it. */
export type Moment = { readonly workgroup: Workgroup; readonly now: number };

/** ISO 8601 with milliseconds, as the store stamps what is decided at that time. */
export function timeOf(now: number): string {
  return new Date(now).toISOString();
}

export function foldAt({ workgroup, now }: Moment, events: readonly WorkgroupEvent[]): Workgroup {
  const recordedAt = timeOf(now);
  return events.reduce((state, event) => evolve(state, { ...event, recordedAt }), workgroup);
}

/** The answer is made of the state that the events leave. */
export function decided<Answer>(
  moment: Moment,
  events: readonly WorkgroupEvent[],
  answer: (after: Workgroup) => Answer,
): Decision<Answer> {
  return { events, answer: answer(foldAt(moment, events)) };
}

/** What is thrown in deciding refuses the command, and records nothing. */
export function refusing<Answer>(decide: () => Decision<Answer>): Decision<Answer> {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ContextRefusal) return { events: [], refusal: new ContextRefusedError(error) };
    if (error instanceof TerminalError) return { events: [], refusal: error };
    throw error;
  }
}

/** Of whatever is granted next in the workgroup. */
export function nextFence({ lastFence }: Workgroup): number {
  return lastFence + 1;
}
