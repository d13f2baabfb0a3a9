import { Inject, Injectable } from '@nestjs/common';
import { isTerminalStatus, type RunEvent, type RunHeader, type RunStatus } from '@palimpsest/contracts';
import type { PollRequest } from '../domain/poll-request.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { RunTails, type Tail } from './run-tails.js';
import { RunWatches } from './run-watches.js';

export type PollAnswer = {
  readonly runId: string;
  readonly events: readonly RunEvent[];
  /** True where these are the last events that there will ever be. */
  readonly isComplete: boolean;
  readonly isTerminal: boolean;
  readonly runStatus: RunStatus;
  /** Sequence of the run's last event. */
  readonly lastEventSeq: number;
};

export type PollStart = PollRequest & {
  readonly run: RunHeader;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
};

/** The next page of events, waited for where there are none yet (host specification §3.8). */
@Injectable()
export class EventPolls {
  constructor(
    @Inject(RunTails) private readonly tails: RunTails,
    @Inject(RunWatches) private readonly watches: RunWatches,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  async poll(start: PollStart): Promise<PollAnswer> {
    const tail = await this.tails.read(start.run, start.fromSequence);
    const { events, ended } = isSettled(tail) || start.waitMs === 0 ? tail : await this.waitFor(start);
    const header = await this.headerBehind(start.run, { events, ended });
    return {
      runId: header.runId,
      events,
      isComplete: ended,
      isTerminal: isTerminalStatus(header.status),
      runStatus: header.status,
      lastEventSeq: header.head,
    };
  }

  /** What the header says once the events are known; read again only where the run has moved on since. */
  private async headerBehind(known: RunHeader, { events, ended }: Tail): Promise<RunHeader> {
    const last = events.at(-1);
    const isCurrent = last ? last.sequence <= known.head : !ended || isTerminalStatus(known.status);
    if (isCurrent) return known;
    return (await this.tails.header(known)) ?? known;
  }

  private async waitFor({ run, fromSequence, waitMs, gone }: PollStart): Promise<Tail> {
    const until = performance.now() + waitMs;
    const watch = await this.watches.open(run, gone);
    try {
      for (;;) {
        const tail = await this.tails.read(run, fromSequence);
        const left = until - performance.now();
        if (isSettled(tail) || left <= 0 || watch.over.aborted) return tail;
        await watch.signal.wait(Math.min(left, this.options.pollMs));
      }
    } finally {
      await watch.close();
    }
  }
}

function isSettled({ events, ended }: Tail): boolean {
  return events.length > 0 || ended;
}
