import {
  EXTERNAL_WORKFLOW,
  foldOwnLoop,
  MESSAGE_APPENDED,
  RUN_STARTED,
  startedOwnLoop,
  WINDOW_PLANNED,
  type ContextSettings,
  type JsonObject,
  type NewRunEvent,
  type OwnLoopState,
  type WindowPlan,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { countAll } from '@palimpsest/tokens';
import { renderMessage } from '@palimpsest/transcript';
import { sampleMessage } from './sample-messages.js';
import type { Services } from './services.js';

/** At least 32 mean turns of the sample. */
export const SETTINGS: ContextSettings = {
  transcriptTokenBudget: 2000,
  tokenCounter: 'o200k_base',
  keepLastTurns: 4,
  strategy: 'sliding-window',
};

export const TENANT = 'bench';
const BATCH = 500;
/** Messages that a window written in bulk feeds. */
const TAIL = 10;

/** One own-loop run. Turns are taken one by one as a caller takes them, or written in bulk to make it long. */
export class SampleRun {
  private head = 0;
  private messages = 0;
  private lastWindow: WindowPlanned | undefined;

  private constructor(
    private readonly services: Services,
    readonly runId: string,
    private state: OwnLoopState,
  ) {}

  static async start(services: Services, runId: string): Promise<SampleRun> {
    const context = SETTINGS as JsonObject;
    const payload = { workflowId: EXTERNAL_WORKFLOW, inputs: {}, configurable: { context } };
    const run = new SampleRun(services, runId, startedOwnLoop(payload));
    await services.log.append({
      tenantId: TENANT,
      runId,
      expectedHead: 'no-run',
      workflowId: EXTERNAL_WORKFLOW,
      events: [{ type: RUN_STARTED, payload, schemaVersion: 1 }],
      at: new Date(),
      header: { status: 'running', state: run.state as JsonObject },
    });
    return run;
  }

  /** The run that a branch at the head of this one is: what was said so far, and from now on its own. */
  branched(runId: string): SampleRun {
    const branch = new SampleRun(this.services, runId, this.state);
    branch.head = this.head;
    branch.messages = this.messages;
    branch.lastWindow = this.lastWindow;
    return branch;
  }

  get events(): number {
    return this.head + 1;
  }

  get fedTokens(): number {
    return this.lastWindow?.totals.fedTokens ?? 0;
  }

  /**
   * Messages and their windows alternate up to `events`. The windows feed the last messages and no summary; a few
   * real turns later the run looks as if it had come here one by one. Only content that is still to be read is stored.
   */
  async fillTo(events: number): Promise<void> {
    while (this.events + 1 < events) {
      const pairs = Math.min(BATCH, events - this.events) >> 1;
      const made: NewRunEvent[] = [];
      for (let pair = 0; pair < pairs; pair += 1) {
        const sequence = this.head + made.length + 1;
        made.push(await this.nextMessage(sequence > events - 4 * TAIL ? 'stored' : 'named', sequence));
        made.push(this.bulkWindow(this.head + made.length));
      }
      await this.append(made);
    }
  }

  /** A turn of a caller: the content, then the event. */
  async say(): Promise<void> {
    await this.append([await this.nextMessage('stored', this.head + 1)]);
  }

  async window(): Promise<WindowPlan> {
    const plan = await this.services.assembler.planWindow.handle({
      tenantId: TENANT,
      runId: this.runId,
      asOfSequence: this.head,
    });
    this.lastWindow = plan.window;
    // The window's own event, and those of its summaries.
    this.head = Number(plan.eventId.split('-').at(-1));
    return plan;
  }

  private async nextMessage(content: 'stored' | 'named', sequence: number): Promise<NewRunEvent> {
    const message = sampleMessage(this.messages);
    this.messages += 1;
    const [artifactId = ''] =
      content === 'stored'
        ? await this.services.artifacts.put(TENANT, this.runId, [
            { type: 'message', origin: `${this.runId} ${this.messages}`, content: message },
          ])
        : [`art_${String(this.messages).padStart(32, '0')}`];
    const event: NewRunEvent = {
      type: MESSAGE_APPENDED,
      payload: { role: message.role, artifactId, toolCallIds: [] },
      schemaVersion: 1,
      counts: countAll(renderMessage(message)),
    };
    this.state = foldOwnLoop(this.state, { ...event, sequence });
    return event;
  }

  private bulkWindow(asOfSequence: number): NewRunEvent {
    const before = this.lastWindow?.totals ?? { fedTokens: 0, unboundedTokens: 0, summaries: 0 };
    const { transcriptTokens, lastMessageSequence, messageCount } = this.state;
    const tokenCount = Math.round((transcriptTokens / messageCount) * Math.min(TAIL, messageCount));
    this.lastWindow = {
      iteration: (this.lastWindow?.iteration ?? 0) + 1,
      asOfSequence,
      lastMessageSequence,
      tokenCounter: SETTINGS.tokenCounter,
      tokenCount,
      unboundedTokenCount: transcriptTokens,
      instructionTokens: 0,
      summarySequences: [],
      tailFromSequence: Math.max(0, asOfSequence - 2 * (TAIL - 1)),
      islands: [],
      pending: [],
      cuts: [],
      elided: [],
      messageCount,
      totals: {
        fedTokens: before.fedTokens + tokenCount,
        unboundedTokens: before.unboundedTokens + transcriptTokens,
        summaries: 0,
      },
    };
    return { type: WINDOW_PLANNED, payload: this.lastWindow as JsonObject, schemaVersion: 1 };
  }

  private async append(events: readonly NewRunEvent[]): Promise<void> {
    const { lastSequence } = await this.services.log.append({
      tenantId: TENANT,
      runId: this.runId,
      expectedHead: this.head,
      events,
      at: new Date(),
      header: { state: this.state as JsonObject },
    });
    this.head = lastSequence;
  }
}
