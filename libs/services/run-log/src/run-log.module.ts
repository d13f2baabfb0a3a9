import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { BusSubscription, Clock, EventLog, Logger, MessageBus } from '@palimpsest/kernel';
import { answerRequests } from './handlers/answer-requests.js';
import type { CheckpointStore } from './relay/checkpoint-store.js';
import { EventRelay } from './relay/event-relay.js';

export type RunLogModuleOptions = {
  readonly eventLog: EventLog;
  readonly bus: MessageBus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly checkpoints: CheckpointStore;
};

const OPTIONS = Symbol('RunLogModuleOptions');

/** Answers the run log's subjects and relays what is committed, from bootstrap to shutdown. */
@Module({})
export class RunLogModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: RunLogModuleOptions;
  readonly #relay: EventRelay;
  #responders: readonly BusSubscription[] = [];

  constructor(@Inject(OPTIONS) options: RunLogModuleOptions) {
    this.#options = options;
    this.#relay = new EventRelay(options);
  }

  static register(options: RunLogModuleOptions): DynamicModule {
    return { module: RunLogModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#responders = await answerRequests(this.#options.bus, this.#options);
    this.#relay.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#responders.map((responder) => responder.close()));
    await this.#relay.close();
  }
}
