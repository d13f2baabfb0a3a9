import { ReplayClient } from '@palimpsest/adapter-clients';
import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import type { ForkRun, RecordedEvent, RunHeader, Verification, WindowPlan } from '@palimpsest/contracts';
import { NotFoundError, silentLogger, type HeaderChange } from '@palimpsest/kernel';
import { MemoryForkJobs, ReplayCoordinatorModule } from '@palimpsest/replay-coordinator';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { assemblerHandlers, MemorySummaryJobStore } from '@palimpsest/transcript-assembler';

export const TENANT = 'default';

export type HostOptions = { readonly summaryJobTokens?: number };

/** An assembler and a replay coordinator over stores in memory, without workers and without a model. */
export class ReplayHost {
  readonly log = new MemoryEventLog();
  readonly artifacts = new MemoryArtifactStore();
  readonly bus = new InProcessBus({ store: new MemoryStreamStore() });
  readonly clock = { now: () => this.now };
  readonly assembler: ReturnType<typeof assemblerHandlers>;
  now = new Date('2026-01-01T00:00:00.000Z');
  readonly #coordinator: ReplayCoordinatorModule;
  readonly #forks: ReplayClient;

  private constructor({ summaryJobTokens }: HostOptions) {
    const { log: eventLog, artifacts, bus, clock } = this;
    const maker = { artifacts, summarizer: extractiveSummarizer(countTokens), count: countTokens };
    this.assembler = assemblerHandlers({
      ...{ eventLog, artifactStore: artifacts, bus, clock, logger: silentLogger },
      jobs: new MemorySummaryJobStore(),
      makeSummaryHere: (job) => makeSummary(job, maker),
      // There are no workers to wait for.
      summaryDeadlineMs: 1,
      ...(summaryJobTokens !== undefined && { summaryJobTokens }),
    });
    this.#coordinator = new ReplayCoordinatorModule({
      ...{ eventLog, artifacts, bus, clock, logger: silentLogger },
      jobs: new MemoryForkJobs(),
      assembler: { verify: (query) => this.assembler.verifyRun.handle(query) },
    });
    this.#forks = new ReplayClient(bus);
  }

  static async open(options: HostOptions = {}): Promise<ReplayHost> {
    const host = new ReplayHost(options);
    await host.#coordinator.onApplicationBootstrap();
    return host;
  }

  async close(): Promise<void> {
    await this.#coordinator.onModuleDestroy();
    await this.bus.close();
  }

  plan(runId: string, asked: object): Promise<WindowPlan> {
    return this.assembler.planWindow.handle({ tenantId: TENANT, runId, ...asked });
  }

  async fork(command: Omit<ForkRun, 'tenantId'>): Promise<void> {
    await this.#forks.fork({ tenantId: TENANT, ...command });
  }

  verify(runId: string): Promise<Verification> {
    return this.#forks.verify({ tenantId: TENANT, runId });
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
      const page = await this.log.readRun({ tenantId: TENANT, runId, fromSequence: from });
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
}

export type HeaderAfter = (header: RunHeader | undefined, event: RecordedEvent) => HeaderChange;
