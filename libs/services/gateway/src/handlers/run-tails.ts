import { Inject, Injectable } from '@nestjs/common';
import { isTerminalEventType, isTerminalStatus, wakeRunSubject, type RunHeader } from '@palimpsest/contracts';
import {
  EVENT_LOG,
  MESSAGE_BUS,
  OneAtATime,
  type BusSubscription,
  type EventLog,
  type MessageBus,
} from '@palimpsest/kernel';
import type { RunEvent } from '@palimpsest/contracts';
import { publicEvent } from './event-list.js';
import { SharedReads } from './shared-reads.js';

type RunKey = Pick<RunHeader, 'tenantId' | 'runId'>;

/** What the log gave from a place on. `ended`: nothing comes after it. */
export type Tail = { readonly events: readonly RunEvent[]; readonly ended: boolean };

type Ears = { readonly wakes: Set<() => void>; subscription?: BusSubscription };

/**
 * The ends of the runs that somebody waits on. However many wait on one run, the bus is listened to once and the log
 * read once per place: what one event costs does not grow with its audience.
 */
@Injectable()
export class RunTails {
  readonly #ears = new Map<string, Ears>();
  readonly #changes = new OneAtATime();
  readonly #pages = new SharedReads();
  readonly #headers = new SharedReads();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(MESSAGE_BUS) private readonly bus: Pick<MessageBus, 'listen'>,
  ) {}

  /** Calls `wake` whenever the run's log has grown, from when this resolves until it is closed. */
  async listen(run: RunKey, wake: () => void): Promise<BusSubscription> {
    const subject = wakeRunSubject(run.tenantId, run.runId);
    await this.#changes.run(subject, () => this.#add(subject, wake));
    return { close: () => this.#changes.run(subject, () => this.#remove(subject, wake)) };
  }

  header({ tenantId, runId }: RunKey): Promise<RunHeader | undefined> {
    return this.#headers.read(`${tenantId}/${runId}`, () => this.log.header(tenantId, runId));
  }

  /**
   * One page from `next`. Without events: has the run ended, so that none will come? `known` is what its header said
   * before: a log that has not grown since has not changed its status either.
   */
  async read(known: RunHeader, next: number): Promise<Tail> {
    const events = await this.#page(known, next);
    const last = events.at(-1);
    if (last) return { events, ended: isTerminalEventType(last.type) };
    if (isTerminalStatus(known.status)) return { events, ended: true };
    if (next <= known.head + 1) return { events, ended: false };
    const header = await this.header(known);
    return { events, ended: !header || (isTerminalStatus(header.status) && header.head < next) };
  }

  #page({ tenantId, runId }: RunKey, fromSequence: number): Promise<readonly RunEvent[]> {
    return this.#pages.read(`${tenantId}/${runId}/${fromSequence}`, async () => {
      const { events } = await this.log.readRun({ tenantId, runId, fromSequence });
      return events.map(publicEvent);
    });
  }

  async #add(subject: string, wake: () => void): Promise<void> {
    const ears = this.#ears.get(subject) ?? { wakes: new Set<() => void>() };
    ears.wakes.add(wake);
    try {
      ears.subscription ??= await this.bus.listen(subject, () => ears.wakes.forEach((each) => each()));
    } catch (error) {
      ears.wakes.delete(wake);
      throw error;
    }
    this.#ears.set(subject, ears);
  }

  async #remove(subject: string, wake: () => void): Promise<void> {
    const ears = this.#ears.get(subject);
    ears?.wakes.delete(wake);
    if (!ears || ears.wakes.size > 0) return;
    this.#ears.delete(subject);
    await ears.subscription?.close();
  }
}
