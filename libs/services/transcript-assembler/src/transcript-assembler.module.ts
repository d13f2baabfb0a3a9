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
import { ReadWindow } from './handlers/read-window.js';
import { ReportUsage } from './handlers/report-usage.js';
import { SummaryDesk } from './handlers/summary-desk.js';
import { VerifyRun } from './handlers/verify-run.js';
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
  readonly racePoints?: RacePoints;
};

const OPTIONS = Symbol('TranscriptAssemblerOptions');

export function assemblerHandlers(options: TranscriptAssemblerOptions): AssemblerHandlers {
  const { eventLog: log, artifactStore: artifacts, bus, clock, logger, jobs } = options;
  const cutter = new MessageCutter(artifacts, exactMeasure);
  const summaries = new SummaryDesk({
    bus,
    jobs,
    clock,
    logger,
    makeHere: options.makeSummaryHere,
    ...(options.summaryDeadlineMs !== undefined && { deadlineMs: options.summaryDeadlineMs }),
  });
  const racePoints = options.racePoints ?? noRacePoints;
  return {
    planWindow: new PlanWindow({ log, artifacts, clock, cutter, summaries, racePoints }),
    readWindow: new ReadWindow(log),
    reportUsage: new ReportUsage(log),
    verifyRun: new VerifyRun({ log, artifacts, cutter, jobs, count: countTokens }),
    summaries,
  };
}

/** Plans, records and explains windows, from bootstrap to shutdown. */
@Module({})
export class TranscriptAssemblerModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: TranscriptAssemblerOptions;
  #responders: readonly BusSubscription[] = [];

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
    void this.resumeJobs(handlers.summaries).catch((error: unknown) => {
      logger.warn(
        { error: error instanceof Error ? error.name : 'unknown' },
        'summary jobs were not published again',
      );
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#responders.map((responder) => responder.close()));
  }

  private async resumeJobs(summaries: SummaryDesk): Promise<void> {
    await this.#options.bus.ensureStream(STREAMS.summarize);
    const published = await summaries.republish();
    if (published > 0) this.#options.logger.info({ published }, 'summary jobs published again');
  }
}
