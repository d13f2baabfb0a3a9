import 'reflect-metadata';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AssemblerClient, ReplayClient, RunLogClient } from '@palimpsest/adapter-clients';
import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import type { RecordedEvent, SummaryJob, SummaryResult } from '@palimpsest/contracts';
import { silentLogger, TerminalError } from '@palimpsest/kernel';
import { MemoryForkJobs, ReplayCoordinatorModule } from '@palimpsest/replay-coordinator';
import { MemoryCheckpoints, RunLogModule } from '@palimpsest/run-log';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { MemorySummaryJobStore, TranscriptAssemblerModule } from '@palimpsest/transcript-assembler';

export const TENANT = 'acme';

/** No window waits for workers: there are none. */
const SUMMARY_DEADLINE_MS = 1;

@Module({})
class MemoryHostModule {}

/** The services that a fork passes through, as they are composed in a deployment, over stores in memory. */
export class MemoryHost {
  readonly log = new MemoryEventLog();
  readonly artifacts = new MemoryArtifactStore();
  readonly bus = new InProcessBus({ store: new MemoryStreamStore() });
  readonly runs = new RunLogClient(this.bus);
  readonly windows = new AssemblerClient(this.bus);
  readonly forks = new ReplayClient(this.bus);
  /** Summaries that were made so far. */
  summariesMade = 0;
  #summarizing = true;
  #app: INestApplicationContext | undefined;

  static async start(): Promise<MemoryHost> {
    const host = new MemoryHost();
    host.#app = await NestFactory.createApplicationContext(
      { module: MemoryHostModule, imports: host.#modules() },
      { logger: false, abortOnError: false },
    );
    return host;
  }

  async close(): Promise<void> {
    await this.#app?.close();
    await this.bus.close();
  }

  /** While this works, whoever asks for a summary fails. */
  async withoutSummarizer<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#summarizing = false;
    try {
      return await work();
    } finally {
      this.#summarizing = true;
    }
  }

  async events(runId: string): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page: Awaited<ReturnType<MemoryEventLog['readRun']>> = await this.log.readRun({
        tenantId: TENANT,
        runId,
        fromSequence: from,
      });
      events.push(...page.events);
      from = page.next;
    }
    return events;
  }

  #modules() {
    const { bus, log: eventLog, artifacts } = this;
    const shared = { bus, eventLog, logger: silentLogger, clock: { now: () => new Date() } };
    return [
      RunLogModule.register({ ...shared, checkpoints: new MemoryCheckpoints() }),
      TranscriptAssemblerModule.register({
        ...shared,
        artifactStore: artifacts,
        jobs: new MemorySummaryJobStore(),
        makeSummaryHere: (job) => this.#summary(job),
        summaryDeadlineMs: SUMMARY_DEADLINE_MS,
      }),
      ReplayCoordinatorModule.register({
        ...shared,
        artifacts,
        jobs: new MemoryForkJobs(),
        assembler: this.windows,
      }),
    ];
  }

  #summary(job: SummaryJob): Promise<SummaryResult> {
    if (!this.#summarizing) throw new TerminalError('internal_error', 'A summary was asked for in a replay.');
    this.summariesMade += 1;
    return makeSummary(job, {
      artifacts: this.artifacts,
      summarizer: extractiveSummarizer(countTokens),
      count: countTokens,
    });
  }
}
