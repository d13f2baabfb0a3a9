import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import {
  foldOwnLoop,
  eventIdOf,
  EXTERNAL_WORKFLOW,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  PIN_TYPES,
  pinsAfter,
  RUN_OVERLAID,
  RUN_STARTED,
  STREAMS,
  summaryJobSchema,
  type ContextSettings,
  type JsonObject,
  type MessageContent,
  type NewRunEvent,
  type OwnLoopState,
  type RecordedEvent,
  type RunOverlaid,
  type RunOverlay,
  type SummaryJob,
  type SummaryResult,
  type TokenCounterName,
} from '@palimpsest/contracts';
import { noRacePoints, readEvents, silentLogger, type RacePoints } from '@palimpsest/kernel';
import { countAll, countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary, renderMessage } from '@palimpsest/transcript';
import { MemorySummaryJobStore } from '../store/memory-summary-job-store.js';
import { assemblerHandlers, type TranscriptAssemblerOptions } from '../transcript-assembler.module.js';
import type { AssemblerHandlers } from '../handlers/answer-requests.js';

export const RUN = { tenantId: 'acme', runId: 'run_1' };

const AT = new Date('2026-01-01T00:00:00.000Z');

export type HarnessOptions = {
  readonly races?: RacePoints;
  readonly deadlineMs?: number;
  readonly assembler?: Partial<TranscriptAssemblerOptions>;
};

/** An assembler over stores in memory that outlive it; `handlers` makes another one on the same stores. */
export class AssemblerHarness {
  readonly log = new MemoryEventLog();
  readonly artifacts = new MemoryArtifactStore();
  readonly jobs = new MemorySummaryJobStore();
  readonly bus = new InProcessBus({ store: new MemoryStreamStore() });
  /** Jobs that workers did, and jobs done by the assembler for want of an answer. */
  readonly done = { byWorkers: 0, here: 0 };
  /** The run that is written to: a branch, once it was branched off. */
  run = RUN;
  #state: OwnLoopState;

  constructor(readonly settings: ContextSettings) {
    this.#state = {
      context: settings,
      lastMessageSequence: -1,
      messageCount: 0,
      openCalls: {},
      transcriptTokens: 0,
      instructionTokens: 0,
    };
  }

  handlers(options: HarnessOptions = {}): AssemblerHandlers {
    return assemblerHandlers({
      eventLog: this.log,
      artifactStore: this.artifacts,
      bus: this.bus,
      clock: { now: () => AT },
      logger: silentLogger,
      jobs: this.jobs,
      makeSummaryHere: (job) => {
        this.done.here += 1;
        return this.make(job);
      },
      racePoints: options.races ?? noRacePoints,
      ...options.assembler,
      ...(options.deadlineMs !== undefined && { summaryDeadlineMs: options.deadlineMs }),
    });
  }

  make(job: SummaryJob): Promise<SummaryResult> {
    return makeSummary(job, {
      artifacts: this.artifacts,
      summarizer: extractiveSummarizer(countTokens),
      count: countTokens,
    });
  }

  /** A worker that answers through the handlers given. */
  async work(handlers: AssemblerHandlers): Promise<void> {
    await this.bus.consume({ stream: STREAMS.summarize, durable: 'worker' }, async ({ body }) => {
      this.done.byWorkers += 1;
      await handlers.summaries.complete(await this.make(summaryJobSchema.parse(body)));
    });
  }

  async start(): Promise<void> {
    const configurable = { context: this.settings };
    const payload = { workflowId: EXTERNAL_WORKFLOW, configurable };
    await this.log.append({
      ...RUN,
      expectedHead: 'no-run',
      workflowId: EXTERNAL_WORKFLOW,
      at: AT,
      events: [{ type: RUN_STARTED, payload: payload as JsonObject, schemaVersion: 1 }],
      header: { status: 'running', state: this.#state as JsonObject },
    });
  }

  /** Appends messages as the run log does: content first, counts on the row, results caused by their call. */
  async say(...messages: readonly MessageContent[]): Promise<void> {
    for (const message of messages) await this.append(message);
  }

  private async append(message: MessageContent): Promise<void> {
    const [artifactId = ''] = await this.artifacts.put(RUN.tenantId, this.run.runId, [
      { type: 'message', content: message },
    ]);
    const call = message.toolCallId === undefined ? undefined : this.#state.openCalls[message.toolCallId];
    await this.record({
      type: message.role === 'system' ? INSTRUCTION_ADDED : MESSAGE_APPENDED,
      schemaVersion: 1,
      payload:
        message.role === 'system'
          ? { role: 'system', artifactId }
          : { role: message.role, artifactId, toolCallIds: callIds(message) },
      counts: countAll(renderMessage(message)),
      ...(call !== undefined && { causationId: eventIdOf(this.run.runId, call) }),
    });
  }

  /** Branches off as the replay coordinator does; what is said from then on is said in the branch. */
  async branch(runId: string, fromSequence: number, overlay?: RunOverlay): Promise<void> {
    const events = (await this.events()).slice(0, fromSequence);
    const origin = { runId: this.run.runId, fromSequence, mode: 'branch' as const };
    this.run = { ...this.run, runId };
    this.#state = events.reduce(foldOwnLoop, this.#state);
    await this.log.fork({ ...this.run, origin, at: AT, status: 'running', state: this.#state as JsonObject });
    if (!overlay) return;
    const counter = overlay.context?.tokenCounter;
    const isRecounted = counter !== undefined && counter !== this.#state.context.tokenCounter;
    const payload = { ...overlay, ...(isRecounted && spokenIn(events, counter)) };
    await this.record({ type: RUN_OVERLAID, schemaVersion: 1, payload: payload as JsonObject });
  }

  async events(): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    const range = { ...this.run, from: 0, to: Infinity };
    for await (const event of readEvents(this.log, range)) events.push(event);
    return events;
  }

  /** Appends one event as the run log does. */
  async record(event: NewRunEvent): Promise<void> {
    const head = (await this.log.header(RUN.tenantId, this.run.runId))?.head ?? -1;
    this.#state = foldOwnLoop(this.#state, { ...event, sequence: head + 1 });
    await this.log.append({
      ...this.run,
      expectedHead: head,
      at: AT,
      events: [event],
      header: { state: this.#state as JsonObject },
    });
  }
}

function spokenIn(events: readonly RecordedEvent[], counter: TokenCounterName): Partial<RunOverlaid> {
  const tokensOf = (type: string): number =>
    events
      .filter((event) => event.type === type)
      .reduce((sum, { counts }) => sum + (counts?.[counter] ?? 0), 0);
  let pinned: Pick<RunOverlaid, 'pins'> = {};
  for (const event of events)
    if ((PIN_TYPES as readonly string[]).includes(event.type))
      pinned = pinsAfter(pinned.pins, event, counter);
  const [transcriptTokens, instructionTokens] = [tokensOf(MESSAGE_APPENDED), tokensOf(INSTRUCTION_ADDED)];
  return { transcriptTokens, instructionTokens, ...pinned };
}

function callIds({ toolCalls = [], toolCallId }: MessageContent): string[] {
  return toolCallId === undefined ? toolCalls.map(({ id }) => id) : [toolCallId];
}
