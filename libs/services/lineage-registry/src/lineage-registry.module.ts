import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { BusSubscription, EventLog, Logger, MessageBus } from '@palimpsest/kernel';
import { RunTelemetryFeed } from './feed/run-telemetry-feed.js';
import { registryRequests, type RegistryPorts } from './handlers/registry-requests.js';
import { ExpirySweep } from './sweep/expiry-sweep.js';

export type LineageRegistryModuleOptions = RegistryPorts & {
  readonly bus: MessageBus;
  /** Read for what runs cost. */
  readonly eventLog: EventLog;
  readonly logger: Logger;
  /** Whose telemetry the events of runs are. Default `default`. */
  readonly environment?: string;
  /** How often leases that are over are looked for, in milliseconds. Default the sweep's. */
  readonly sweepMs?: number;
};

const OPTIONS = Symbol('LineageRegistryModuleOptions');
const QUEUE = 'lineage-registry';
const ENVIRONMENT = 'default';

/** Answers the registry's subjects, ends leases that are over, and records what runs cost, from bootstrap to shutdown. */
@Module({})
export class LineageRegistryModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: LineageRegistryModuleOptions;
  readonly #sweep: ExpirySweep;
  readonly #feed: RunTelemetryFeed;
  #responders: readonly BusSubscription[] = [];

  constructor(@Inject(OPTIONS) options: LineageRegistryModuleOptions) {
    const { workgroups: store, logger, sweepMs, environment = ENVIRONMENT } = options;
    this.#options = options;
    this.#sweep = new ExpirySweep({ store, logger, ...(sweepMs !== undefined && { intervalMs: sweepMs }) });
    this.#feed = new RunTelemetryFeed({ ...options, environment });
  }

  static register(options: LineageRegistryModuleOptions): DynamicModule {
    return { module: LineageRegistryModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bus } = this.#options;
    const handlers = registryRequests(this.#options).flatMap((requests) => Object.entries(requests));
    this.#responders = await Promise.all(
      handlers.map(([subject, answer]) => bus.respond(subject, QUEUE, answer)),
    );
    await this.#feed.start(bus);
    this.#sweep.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#sweep.stop();
    await this.#feed.close();
    await Promise.all(this.#responders.map((responder) => responder.close()));
  }
}
