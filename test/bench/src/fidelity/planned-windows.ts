import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import {
  CURRENT_REPLAY_FLAGS,
  EXTERNAL_WORKFLOW,
  eventIdOf,
  foldOwnLoop,
  MESSAGE_APPENDED,
  replayFlagsMember,
  RUN_STARTED,
  startedOwnLoop,
  STREAMS,
  summaryJobSchema,
  type ContextSettings,
  type JsonObject,
  type MessageContent,
  type NewRunEvent,
  type OwnLoopState,
  type RenderingContent,
  type SummaryContent,
  type WindowEntry,
} from '@palimpsest/contracts';
import { isErased, silentLogger, systemClock } from '@palimpsest/kernel';
import { countAll, countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary, renderMessage, renderSummary } from '@palimpsest/transcript';
import { assemblerHandlers, MemorySummaryJobStore } from '@palimpsest/transcript-assembler';
import type { WindowSource } from './measure-session.js';

const RUN = { tenantId: 'bench', runId: 'fidelity' };

/** The windows that the assembler feeds, from log to text, over stores in memory. */
export class PlannedWindows implements WindowSource {
  private readonly log = new MemoryEventLog();
  private readonly artifacts = new MemoryArtifactStore();
  private readonly bus = new InProcessBus({ store: new MemoryStreamStore() });
  private readonly assembler: ReturnType<typeof assemblerHandlers>;
  private state: OwnLoopState;
  private head = -1;

  private constructor(settings: ContextSettings) {
    this.state = startedOwnLoop(startedPayload(settings));
    this.assembler = assemblerHandlers({
      eventLog: this.log,
      artifactStore: this.artifacts,
      bus: this.bus,
      clock: systemClock,
      logger: silentLogger,
      jobs: new MemorySummaryJobStore(),
      makeSummaryHere: (job) => makeSummary(job, this.maker()),
    });
  }

  static async start(settings: ContextSettings): Promise<PlannedWindows> {
    const windows = new PlannedWindows(settings);
    await windows.open(settings);
    return windows;
  }

  close(): Promise<void> {
    return this.bus.close();
  }

  async append(turn: readonly MessageContent[]): Promise<void> {
    for (const message of turn) await this.say(message);
  }

  async window(): Promise<{ text: string; bites: boolean }> {
    const { window, entries, eventId } = await this.assembler.planWindow.handle({
      ...RUN,
      asOfSequence: this.head,
    });
    this.head = Number(eventId.split('-').at(-1));
    const readings = await this.artifacts.get(RUN.tenantId, [
      ...new Set(entries.map(({ artifactId }) => artifactId)),
    ]);
    const texts = entries.map((entry) => {
      const reading = readings.get(entry.artifactId);
      return reading && !isErased(reading) ? rendered(entry, reading.content) : '';
    });
    return { text: texts.join(''), bites: window.tokenCount < window.unboundedTokenCount };
  }

  private maker() {
    return { artifacts: this.artifacts, summarizer: extractiveSummarizer(countTokens), count: countTokens };
  }

  private async open(settings: ContextSettings): Promise<void> {
    await this.bus.ensureStream(STREAMS.summarize);
    await this.bus.consume({ stream: STREAMS.summarize, durable: 'bench' }, async ({ body }) => {
      await this.assembler.summaries.complete(await makeSummary(summaryJobSchema.parse(body), this.maker()));
    });
    await this.log.append({
      ...RUN,
      expectedHead: 'no-run',
      workflowId: EXTERNAL_WORKFLOW,
      events: [{ type: RUN_STARTED, payload: startedPayload(settings), schemaVersion: 1 }],
      at: systemClock.now(),
      header: { status: 'running', state: this.state as JsonObject },
    });
    this.head = 0;
  }

  private async say(message: MessageContent): Promise<void> {
    const [artifactId = ''] = await this.artifacts.put(RUN.tenantId, RUN.runId, [
      { type: 'message', origin: `${this.head}`, content: message },
    ]);
    const call = message.toolCallId === undefined ? undefined : this.state.openCalls[message.toolCallId];
    const event: NewRunEvent = {
      type: MESSAGE_APPENDED,
      payload: { role: message.role, artifactId, toolCallIds: callIds(message) },
      schemaVersion: 1,
      counts: countAll(renderMessage(message)),
      ...(call !== undefined && { causationId: eventIdOf(RUN.runId, call) }),
    };
    this.state = foldOwnLoop(this.state, { ...event, sequence: this.head + 1 });
    const { lastSequence } = await this.log.append({
      ...RUN,
      expectedHead: this.head,
      events: [event],
      at: systemClock.now(),
      header: { state: this.state as JsonObject },
    });
    this.head = lastSequence;
  }
}

/** As a run starts now. */
function startedPayload(settings: ContextSettings): JsonObject {
  return {
    workflowId: EXTERNAL_WORKFLOW,
    inputs: {},
    configurable: { context: settings as JsonObject },
    ...replayFlagsMember(CURRENT_REPLAY_FLAGS),
  };
}

function callIds({ toolCalls = [], toolCallId }: MessageContent): string[] {
  return toolCallId === undefined ? toolCalls.map(({ id }) => id) : [toolCallId];
}

function rendered(entry: WindowEntry, content: unknown): string {
  if (entry.form === 'elided') return '';
  if (entry.kind === 'summary') return renderSummary((content as SummaryContent).text);
  if (entry.form === 'cut') return (content as RenderingContent).rendered;
  return renderMessage(content as MessageContent);
}
