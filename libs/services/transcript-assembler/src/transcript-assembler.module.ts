import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { STREAMS, type SummaryJob, type SummaryResult } from '@palimpsest/contracts';
import {
  noRacePoints,
  type ArtifactStore,
  type BusSubscription,
  type Clock,
  type EventLog,
  type Logger,
  type MessageBus,
  type RacePoints,
} from '@palimpsest/kernel';
import { countTokens } from '@palimpsest/tokens';
import { answerRequests, type AssemblerHandlers } from './handlers/answer-requests.js';
import { exactMeasure } from './handlers/exact-measure.js';
import { MessageCutter } from './handlers/message-cutter.js';
import { PlanWindow } from './handlers/plan-window.js';
import { PrepareAhead } from './handlers/prepare-ahead.js';
import { ReadWindow } from './handlers/read-window.js';
import { RecordUsage } from './handlers/record-usage.js';
import { ReportUsage } from './handlers/report-usage.js';
import { SummaryDesk } from './handlers/summary-desk.js';
import { VerifyRun } from './handlers/verify-run.js';
import { WorkerFleet } from './handlers/worker-fleet.js';
import type { SummaryJobStore } from './store/summary-job-store.js';

export type TranscriptAssemblerOptions = {
  readonly eventLog: EventLog;
  readonly artifactStore: ArtifactStore;
  readonly bus: MessageBus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: SummaryJobStore;
  /** Makes a summary in this process, without a model. */
  readonly makeSummaryHere: (job: SummaryJob) => Promise<SummaryResult>;
  /** How long a window waits for the summarizer workers. Default 2000. */
  readonly summaryDeadlineMs?: number;
  /** How long no window waits for workers that missed several deadlines in a row. Default 15 000. */
  readonly summaryCoolDownMs?: number;
  /** Most tokens of the messages of one summary job: below what the workers' summarizer reads. Default 200 000. */
  readonly summaryJobTokens?: number;
  /** Has summaries made before they are needed: of use where a model makes them. Default false. */
  readonly prepareAhead?: boolean;
  /** How often jobs that a worker has not come back with are published again. Default 30 000. */
  readonly summaryRepublishMs?: number;
  readonly racePoints?: RacePoints;
};

const OPTIONS = Symbol('TranscriptAssemblerOptions');

export function assemblerHandlers(options: TranscriptAssemblerOptions): AssemblerHandlers {
  const {
    eventLog: log,
    artifactStore: artifacts,
    clock,
    logger,
    jobs,
    summaryJobTokens: jobTokens,
  } = options;
  const cutter = new MessageCutter(artifacts, exactMeasure);
  const summaries = summaryDesk(options);
  const racePoints = options.racePoints ?? noRacePoints;
  const ahead = options.prepareAhead ? new PrepareAhead(summaries, logger) : undefined;
  return {
    planWindow: new PlanWindow({
      log,
      artifacts,
      clock,
      count: countTokens,
      cutter,
      summaries,
      racePoints,
      ...(ahead && { ahead }),
      ...(jobTokens !== undefined && { jobTokens }),
    }),
    readWindow: new ReadWindow(log),
    reportUsage: new ReportUsage(log),
    verifyRun: new VerifyRun({ log, artifacts, cutter, jobs, count: countTokens }),
    summaries,
  };
}

function summaryDesk(options: TranscriptAssemblerOptions): SummaryDesk {
  const { eventLog: log, artifactStore: artifacts, bus, clock, logger, jobs } = options;
  const { summaryDeadlineMs: deadlineMs, summaryCoolDownMs: coolDownMs } = options;
  return new SummaryDesk({
    fleet: new WorkerFleet({ bus, jobs, logger, ...(coolDownMs !== undefined && { coolDownMs }) }),
    usage: new RecordUsage({ log, jobs, clock, logger }),
    artifacts,
    bus,
    jobs,
    clock,
    logger,
    makeHere: options.makeSummaryHere,
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
}

/** Plans, records and explains windows, from bootstrap to shutdown. */
@Module({})
export class TranscriptAssemblerModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: TranscriptAssemblerOptions;
  #responders: readonly BusSubscription[] = [];
  #republishing: NodeJS.Timeout | undefined;

  constructor(@Inject(OPTIONS) options: TranscriptAssemblerOptions) {
    this.#options = options;
  }

  static register(options: TranscriptAssemblerOptions): DynamicModule {
    return { module: TranscriptAssemblerModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bus, logger } = this.#options;
    const handlers = assemblerHandlers(this.#options);
    this.#responders = await answerRequests(bus, handlers);
    const again = (publish: () => Promise<number>): void => {
      this.published(publish).catch((error: unknown) => {
        logger.warn(
          { error: error instanceof Error ? error.name : 'unknown' },
          'summary jobs were not published again',
        );
      });
    };
    again(() => handlers.summaries.republish());
    this.#republishing = setInterval(
      () => again(() => handlers.summaries.republishLapsed()),
      this.#options.summaryRepublishMs ?? 30_000,
    );
    this.#republishing.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#republishing);
    await Promise.all(this.#responders.map((responder) => responder.close()));
  }

  private async published(publish: () => Promise<number>): Promise<void> {
    await this.#options.bus.ensureStream(STREAMS.summarize);
    const published = await publish();
    if (published > 0) this.#options.logger.info({ published }, 'summary jobs published again');
  }
}
