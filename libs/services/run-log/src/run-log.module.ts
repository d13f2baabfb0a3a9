import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { ReplayFlags } from '@palimpsest/contracts';
import type {
  BusSubscription,
  Clock,
  EventLog,
  Logger,
  MessageBus,
  UnfinishedRuns,
} from '@palimpsest/kernel';
import { answerRequests } from './handlers/answer-requests.js';
import { AdvanceSweep } from './relay/advance-sweep.js';
import type { CheckpointStore } from './relay/checkpoint-store.js';
import { EventRelay } from './relay/event-relay.js';
import { promptJobs } from './relay/prompt-jobs.js';

export type RunLogModuleOptions = {
  readonly eventLog: EventLog & UnfinishedRuns;
  readonly bus: MessageBus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly checkpoints: CheckpointStore;
  /** How runs that start now are derived. Default: in all the ways of this version. */
  readonly replayFlags?: ReplayFlags;
};

const OPTIONS = Symbol('RunLogModuleOptions');

/** Answers the run log's subjects and relays what is committed, from bootstrap to shutdown. */
@Module({})
export class RunLogModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: RunLogModuleOptions;
  readonly #relay: EventRelay;
  readonly #sweep: AdvanceSweep;
  #responders: readonly BusSubscription[] = [];

  constructor(@Inject(OPTIONS) options: RunLogModuleOptions) {
    this.#options = options;
    this.#sweep = new AdvanceSweep({ ...options, runs: options.eventLog });
    this.#relay = new EventRelay({ ...options, onOutageOver: () => this.#sweep.soon() });
  }

  static register(options: RunLogModuleOptions): DynamicModule {
    return { module: RunLogModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bus } = this.#options;
    this.#responders = await answerRequests(bus, { ...this.#options, onRecorded: promptJobs(bus) });
    this.#relay.start();
    this.#sweep.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#responders.map((responder) => responder.close()));
    await Promise.all([this.#relay.close(), this.#sweep.close()]);
  }
}
