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
import type {
  ForkRun,
  PlanWindow,
  RecordedEvent,
  ReplayFlags,
  RunHeader,
  SummaryJob,
  SummaryResult,
  Verification,
  WindowPlan,
} from '@palimpsest/contracts';
import { NotFoundError, silentLogger, TerminalError, type HeaderChange } from '@palimpsest/kernel';
import { MemoryForkJobs, ReplayCoordinatorModule } from '@palimpsest/replay-coordinator';
import { MemoryCheckpoints, RunLogModule } from '@palimpsest/run-log';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { MemorySummaryJobStore, TranscriptAssemblerModule } from '@palimpsest/transcript-assembler';

export const TENANT = 'default';

/** No window waits for workers: there are none. */
const SUMMARY_DEADLINE_MS = 1;

export type HostOptions = {
  readonly summaryJobTokens?: number;
  /** Of the runs that begin on it; default: all. */
  readonly replayFlags?: ReplayFlags;
};

/** The header that a run has after an event. */
export type HeaderAfter = (header: RunHeader | undefined, event: RecordedEvent) => HeaderChange;

@Module({})
class MemoryHostModule {}

/** The services that a fork passes through, as they are composed in a deployment, over stores in memory, where time stands still. */
export class MemoryHost {
  readonly log = new MemoryEventLog();
  readonly artifacts = new MemoryArtifactStore();
  readonly bus = new InProcessBus({ store: new MemoryStreamStore() });
  readonly runs = new RunLogClient(this.bus);
  readonly windows = new AssemblerClient(this.bus);
  readonly forks = new ReplayClient(this.bus);
  /** Summaries that were made so far. */
  summariesMade = 0;
  readonly clock = { now: () => new Date('2026-01-01T00:00:00.000Z') };
  #summarizing = true;
  #app: INestApplicationContext | undefined;

  private constructor(private readonly options: HostOptions) {}

  static async start(options: HostOptions = {}): Promise<MemoryHost> {
    const host = new MemoryHost(options);
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

  plan(runId: string, asked: object): Promise<WindowPlan> {
    return this.windows.planWindow({ tenantId: TENANT, runId, ...asked } as PlanWindow);
  }

  async fork(command: Omit<ForkRun, 'tenantId'>): Promise<void> {
    await this.forks.fork({ tenantId: TENANT, ...command });
  }

  verify(runId: string): Promise<Verification> {
    return this.forks.verify({ tenantId: TENANT, runId });
  }

  /** @throws NotFoundError */
  async header(runId: string): Promise<RunHeader> {
    const header = await this.log.header(TENANT, runId);
    if (!header) throw new NotFoundError('The run', { runId });
    return header;
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

  /** Puts an event behind the head of a run, or begins one, with the header that `after` makes of it. */
  async append(runId: string, event: RecordedEvent, after: HeaderAfter): Promise<void> {
    const { timestamp, type, nodeId, causationId, counts, payload, schemaVersion } = event;
    const header = await this.log.header(TENANT, runId);
    const head = header?.head ?? -1;
    const change = after(header, { ...event, sequence: head + 1 });
    const told = {
      ...{ type, payload, schemaVersion },
      ...(nodeId !== undefined && { nodeId }),
      ...(causationId !== undefined && { causationId }),
      ...(counts && { counts }),
    };
    await this.log.append({
      tenantId: TENANT,
      runId,
      expectedHead: header ? head : 'no-run',
      ...(header ? {} : { workflowId: payload['workflowId'] as string }),
      events: [told],
      at: new Date(timestamp),
      header: change,
    });
  }

  #modules() {
    const { bus, log: eventLog, artifacts } = this;
    const shared = { bus, eventLog, logger: silentLogger, clock: this.clock };
    const { summaryJobTokens, replayFlags } = this.options;
    return [
      RunLogModule.register({
        ...shared,
        checkpoints: new MemoryCheckpoints(),
        ...(replayFlags && { replayFlags }),
      }),
      TranscriptAssemblerModule.register({
        ...shared,
        artifactStore: artifacts,
        jobs: new MemorySummaryJobStore(),
        makeSummaryHere: (job) => this.#summary(job),
        summaryDeadlineMs: SUMMARY_DEADLINE_MS,
        ...(summaryJobTokens !== undefined && { summaryJobTokens }),
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
