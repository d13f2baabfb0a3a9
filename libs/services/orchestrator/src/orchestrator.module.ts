import { randomUUID } from 'node:crypto';
import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { advanceRunSchema, STREAMS } from '@palimpsest/contracts';
import {
  noRacePoints,
  OneAtATime,
  parseRequest,
  type BusSubscription,
  type Clock,
  type Delivery,
  type EventLog,
  type Logger,
  type MessageBus,
  type RacePoints,
  type TokenCounter,
} from '@palimpsest/kernel';
import type { DefinitionStore } from './definitions/definition-store.js';
import { KnownDefinitions } from './definitions/known-definitions.js';
import { seedDefinitions } from './definitions/seed-definitions.js';
import { answerRequests } from './handlers/answer-requests.js';
import { JobPlaces, type StartTimer } from './handlers/job-places.js';
import type { InvocationStore } from './invocations/invocation-store.js';
import { KeptInvocations } from './invocations/kept-invocations.js';
import type { MockProgramStore } from './mock-provider/mock-program-store.js';
import { ModelNodes } from './model-nodes/model-nodes.js';
import type { ChildRuns, ExecutionPorts, RunKey } from './orchestrator-ports.js';
import type { ModelAccess } from './planner/model-access.js';
import { ModelPlanner } from './planner/model-planner.js';
import { TIMER_CLAIMED } from './race-points.js';
import { advanceRun } from './runs/advance-run.js';
import type { SideEffectStore } from './side-effects/side-effect-store.js';
import { SideEffects } from './side-effects/side-effects.js';
import type { TimerStore } from './timers/timer-store.js';
import { TimerWatch } from './timers/timer-watch.js';

export type OrchestratorModuleOptions = {
  readonly eventLog: EventLog;
  readonly bus: MessageBus;
  readonly definitions: DefinitionStore;
  readonly timers: TimerStore;
  readonly childRuns: ChildRuns;
  readonly tokens: Pick<TokenCounter, 'countAll'>;
  readonly invocations: InvocationStore;
  /** Decides turns that no script decides, and answers nodes; absent where no model is configured. */
  readonly model?: ModelAccess | undefined;
  /** What the provider `mock` answers, a test seam; absent where it is not served. */
  readonly mockPrograms?: MockProgramStore | undefined;
  /** Where nodes have effects that tests count, a test seam; absent where it is not served. */
  readonly sideEffects?: SideEffectStore | undefined;
  /** How many runs may start each other, one inside the other. Default 8. */
  readonly maxChildDepth?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A folder of the operator's definitions, `*.json`. */
  readonly workflowsDirectory?: string | undefined;
  /** Whether the bundled conformance fixtures are in force. */
  readonly conformanceFixtures: boolean;
  /** Jobs, and due timers, at work at once in this instance. Default 16. */
  readonly concurrency?: number;
  /** Tells when a job is one that takes long. Default the platform's timers. */
  readonly startJobTimer?: StartTimer;
  readonly races?: RacePoints;
  /** Longest pause between two looks for due timers, in milliseconds. Default 1000. */
  readonly timerPollMs?: number;
  /** How a job that failed is tried again. Default 20 times, 250 ms at first. */
  readonly retries?: { readonly maxRetryableAttempts: number; readonly retryBaseMs: number };
};

const OPTIONS = Symbol('OrchestratorModuleOptions');
const CONCURRENCY = 16;
const MAX_CHILD_DEPTH = 8;
const TIMER_POLL_MS = 1000;
/** How often a job at work tells the bus that it is alive: a model may take minutes. Well below the bus's patience. */
const ALIVE_MS = 10_000;
/** About six minutes without the log or the database before a job becomes a dead letter. */
const RETRIES = { maxRetryableAttempts: 20, retryBaseMs: 250 };

/** Seeds definitions, answers for them, and executes runs of workflows, from bootstrap to shutdown. */
@Module({})
export class OrchestratorModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: OrchestratorModuleOptions;
  readonly #ports: ExecutionPorts;
  readonly #watch: TimerWatch;
  readonly #kept: KeptInvocations;
  readonly #stopping = new AbortController();
  #subscriptions: readonly BusSubscription[] = [];

  constructor(@Inject(OPTIONS) options: OrchestratorModuleOptions) {
    this.#options = options;
    this.#ports = portsOf(options, this.#stopping.signal);
    this.#kept = new KeptInvocations(options);
    this.#watch = new TimerWatch({
      ...options,
      concurrency: options.concurrency ?? CONCURRENCY,
      pollMs: options.timerPollMs ?? TIMER_POLL_MS,
      fire: async (timer) => {
        await this.#ports.races.reach(TIMER_CLAIMED);
        await this.#advance(timer);
      },
    });
  }

  static register(options: OrchestratorModuleOptions): DynamicModule {
    return { module: OrchestratorModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  /** @throws DefinitionFileError: an orchestrator whose definitions cannot be used does not start */
  async onApplicationBootstrap(): Promise<void> {
    const { bus, definitions: store, clock, concurrency = CONCURRENCY, retries = RETRIES } = this.#options;
    const { model, mockPrograms: mocks, sideEffects } = this.#options;
    await seedDefinitions({
      ...this.#options,
      hasModel: model !== undefined,
      hasMock: mocks !== undefined,
      hasSideEffects: sideEffects !== undefined,
    });
    const known = this.#ports.definitions;
    const { eventLog, invocations } = this.#options;
    const calls = { eventLog, definitions: known, invocations, feed: model };
    const responders = await answerRequests(bus, { store, known, clock, mocks, sideEffects, calls });
    const places = new JobPlaces(concurrency, this.#options.startJobTimer);
    const jobs = await bus.consume(
      { stream: STREAMS.advance, durable: 'orchestrator', concurrency: places.most, ...retries },
      (delivery) =>
        keptAlive(delivery, () =>
          places.within(() => this.#advance(parseRequest(advanceRunSchema, delivery.body))),
        ),
    );
    this.#subscriptions = [...responders, jobs];
    this.#watch.start();
    this.#kept.start();
  }

  /** Calls of models are given up: their runs go on elsewhere, or after the next start. */
  async onModuleDestroy(): Promise<void> {
    this.#stopping.abort();
    await this.#kept.close();
    await this.#watch.close();
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()));
  }

  async #advance(run: RunKey): Promise<void> {
    const dueAt = await advanceRun(this.#ports, run);
    if (dueAt) this.#watch.expect(dueAt);
  }
}

function portsOf(options: OrchestratorModuleOptions, stopping: AbortSignal): ExecutionPorts {
  const races = options.races ?? noRacePoints;
  const calls = { ...options, races, stopping, newOwner: randomUUID };
  const models = { access: options.model, mocks: options.mockPrograms };
  return {
    ...options,
    maxChildDepth: options.maxChildDepth ?? MAX_CHILD_DEPTH,
    definitions: new KnownDefinitions(options.definitions),
    races,
    inTurn: new OneAtATime(),
    modelNodes: new ModelNodes(calls, models),
    sideEffects: new SideEffects(calls, options.sideEffects),
    ...(options.model && {
      planner: new ModelPlanner(calls, options.model),
      artifacts: options.model.artifacts,
    }),
  };
}

/** A job that nobody hears of is given to somebody else, who would wait for the same model. */
async function keptAlive(delivery: Pick<Delivery, 'working'>, work: () => Promise<void>): Promise<void> {
  const alive = setInterval(() => delivery.working(), ALIVE_MS);
  try {
    await work();
  } finally {
    clearInterval(alive);
  }
}
