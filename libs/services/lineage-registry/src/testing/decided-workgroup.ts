import type { Coordinate, LineageGrant } from '@palimpsest/contracts/registry';
import type { TerminalError } from '@palimpsest/kernel';
import { decideCoordinate } from '../domain/workgroup/coordinate.js';
import { timeOf, type Decide } from '../domain/workgroup/deciding.js';
import { evolve } from '../domain/workgroup/evolve.js';
import { decideRelease } from '../domain/workgroup/hold-lineage.js';
import { decideRegister } from '../domain/workgroup/register.js';
import { closedWorkgroup, type Lineage, type Workgroup } from '../domain/workgroup/workgroup.js';
import type { RecordedWorkgroupEvent, WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import { NOON, registerCommand, TENANT, WORKGROUP } from './lineage-records.js';

export type Outcome<Answer> = {
  readonly answer?: Answer;
  readonly refusal?: TerminalError;
  /** Recorded by this command. */
  readonly events: readonly WorkgroupEvent[];
};

/** A workgroup that takes commands one after the other, at a time of the test's. */
export class DecidedWorkgroup {
  now = NOON;
  workgroup: Workgroup = closedWorkgroup(WORKGROUP);
  readonly log: RecordedWorkgroupEvent[] = [];

  /** One whose seat is taken, under fence 1. */
  static opened(changes: Partial<Coordinate> = {}): DecidedWorkgroup {
    const decided = new DecidedWorkgroup();
    decided.give(decideCoordinate, { tenantId: TENANT, workgroupId: WORKGROUP, ...changes });
    return decided;
  }

  act<Command, Answer>(decide: Decide<Command, Answer>, command: Command): Outcome<Answer> {
    const decision = decide(this.workgroup, command, this.now);
    for (const event of decision.events) this.#record(event);
    return decision;
  }

  /** The answer to a command that is not refused. */
  give<Command, Answer>(decide: Decide<Command, Answer>, command: Command): Answer {
    const { answer, refusal } = this.act(decide, command);
    if (answer === undefined) throw refusal ?? new TypeError('There is no answer.');
    return answer;
  }

  held(lineageId: string, changes: Parameters<typeof registerCommand>[1] = {}): LineageGrant {
    return this.give(decideRegister, registerCommand(lineageId, changes));
  }

  /** Registered, and released again. */
  idle(lineageId: string, changes: Parameters<typeof registerCommand>[1] = {}): LineageGrant {
    const grant = this.held(lineageId, changes);
    this.give(decideRelease, { tenantId: TENANT, lineageId, fence: grant.fence });
    return grant;
  }

  lineage(lineageId: string): Lineage | undefined {
    return this.workgroup.lineages.get(lineageId);
  }

  #record(event: WorkgroupEvent): void {
    const recorded = { ...event, sequence: this.workgroup.sequence + 1, recordedAt: timeOf(this.now) };
    this.log.push(recorded);
    this.workgroup = evolve(this.workgroup, recorded);
  }
}

/** Code and details of a refusal; the code is undefined where there is none. */
export function refusalOf({ refusal }: Outcome<unknown>): {
  readonly code?: string;
  readonly details?: object;
} {
  return { ...(refusal && { code: refusal.code }), ...(refusal?.details && { details: refusal.details }) };
}

/** Types without the prefix that all have. */
export function namesOf({ events }: Outcome<unknown>): readonly string[] {
  return events.map(({ type }) => type.replace('palimpsest.', ''));
}
