import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { REPLAY_SUBJECTS } from '@palimpsest/contracts';
import {
  isPalimpsestError,
  noRacePoints,
  type BusSubscription,
  type MessageBus,
  type RacePoints,
} from '@palimpsest/kernel';
import { ForkWorks } from './fork/fork-works.js';
import { DiffRunsHandler } from './handlers/diff-runs.js';
import { forkRun, forkRunAgain } from './handlers/fork-run.js';
import { verifyRun } from './handlers/verify-run.js';
import type { ReplayPorts } from './replay-ports.js';

export type ReplayCoordinatorModuleOptions = Omit<ReplayPorts, 'races'> & {
  readonly bus: MessageBus;
  readonly races?: RacePoints;
  /** How often half-made forks are looked for, in milliseconds. Default 15 000. */
  readonly sweepMs?: number;
};

const OPTIONS = Symbol('ReplayCoordinatorModuleOptions');
const QUEUE = 'replay-coordinator';
const SWEEP_MS = 15_000;

/** Answers the replay subjects and finishes forks that were left half made, from bootstrap to shutdown. */
@Module({})
export class ReplayCoordinatorModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: ReplayCoordinatorModuleOptions;
  readonly #ports: ReplayPorts;
  readonly #works: ForkWorks;
  readonly #diffs: DiffRunsHandler;
  #responders: readonly BusSubscription[] = [];
  #sweeps: NodeJS.Timeout | undefined;

  constructor(@Inject(OPTIONS) options: ReplayCoordinatorModuleOptions) {
    this.#options = options;
    this.#ports = { ...options, races: options.races ?? noRacePoints };
    this.#works = new ForkWorks(this.#ports);
    this.#diffs = new DiffRunsHandler(options.eventLog);
  }

  static register(options: ReplayCoordinatorModuleOptions): DynamicModule {
    return { module: ReplayCoordinatorModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bus, sweepMs = SWEEP_MS } = this.#options;
    this.#responders = await Promise.all([
      bus.respond(REPLAY_SUBJECTS.fork, QUEUE, (body) => forkRun(this.#ports, this.#works, body)),
      bus.respond(REPLAY_SUBJECTS.forkAgain, QUEUE, (body) => forkRunAgain(this.#ports, this.#works, body)),
      bus.respond(REPLAY_SUBJECTS.verify, QUEUE, (body) => verifyRun(this.#ports, body)),
      bus.respond(REPLAY_SUBJECTS.diff, QUEUE, (body) => this.#diffs.handle(body)),
    ]);
    void this.#sweep(0);
    this.#sweeps = setInterval(() => void this.#sweep(sweepMs), sweepMs);
    this.#sweeps.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#sweeps);
    await Promise.all(this.#responders.map((responder) => responder.close()));
    await this.#works.close();
  }

  /** Young jobs are left to those who are at work on them. */
  async #sweep(youngMs: number): Promise<void> {
    try {
      await this.#works.resume(new Date(this.#ports.clock.now().getTime() - youngMs));
    } catch (error) {
      const code = isPalimpsestError(error) ? error.code : 'internal_error';
      this.#ports.logger.warn({ code }, 'Half-made forks could not be looked for');
    }
  }
}
