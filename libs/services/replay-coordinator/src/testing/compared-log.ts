import {
  CONTEXT_SUMMARIZED,
  eventIdOf,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  RUN_STARTED,
  WINDOW_PLANNED,
  type JsonObject,
  type NewRunEvent,
  type TokenCounterName,
} from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import { TENANT } from './source-run.js';

/**
 * A step of a run: what is said (a text by its letter), a summary of all turns up to now, or a window of the last `turns`;
 * one that comes `again` takes the place of the last one.
 */
export type Step =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'window'; readonly turns: number; readonly cut?: string; readonly again?: true };

/** What a window fed, as whoever planned it knows: texts by their letters, in order. */
export type Fed = {
  readonly sequence: number;
  readonly texts: readonly string[];
  /** It counts so much without a budget. */
  readonly unbounded: number;
  readonly counter: TokenCounterName;
};

type Said = { readonly sequence: number; readonly text: string };

const artifact = (letter: string): string => `art_${letter.repeat(22)}`;

/** Writes logs of own loops that windows were taken of, as far as a comparison looks at them. */
export class ComparedRunLog {
  readonly windows: Fed[] = [];
  #turns: Said[] = [];
  #instructions: Said[] = [];
  #summaries: Said[] = [];
  #events = 0;
  #counter: TokenCounterName = 'chars';

  constructor(
    private readonly log: EventLog,
    readonly runId: string,
  ) {}

  get length(): number {
    return this.#events;
  }

  async start(payload: JsonObject = { workflowId: 'palimpsest-external' }): Promise<this> {
    await this.#append('no-run', [{ type: RUN_STARTED, payload, schemaVersion: 1 }]);
    return this;
  }

  /** Windows count in the unit that is given, from now on. */
  async go(steps: readonly Step[], counter = this.#counter): Promise<this> {
    this.#counter = counter;
    const events: NewRunEvent[] = [];
    for (const step of steps) events.push(this.#eventOf(step, this.#events + events.length));
    for (let at = 0; at < events.length; at += 500)
      await this.#append(this.#events - 1, events.slice(at, at + 500));
    return this;
  }

  /** Any event, not a step's. */
  async add(event: Omit<NewRunEvent, 'schemaVersion'> & { readonly schemaVersion?: number }): Promise<this> {
    await this.#append(this.#events - 1, [{ schemaVersion: 1, ...event }]);
    return this;
  }

  /** A run that has this one's events below `fromSequence`, and goes on by itself. */
  async branch(runId: string, fromSequence: number): Promise<ComparedRunLog> {
    const origin = { runId: this.runId, fromSequence, mode: 'branch' as const };
    const at = new Date('2026-01-03T00:00:00.000Z');
    await this.log.fork({ tenantId: TENANT, runId, origin, at, status: 'running', state: {} });
    const fork = new ComparedRunLog(this.log, runId);
    const isBelow = ({ sequence }: { readonly sequence: number }) => sequence < fromSequence;
    fork.windows.push(...this.windows.filter(isBelow));
    fork.#turns = this.#turns.filter(isBelow);
    fork.#instructions = this.#instructions.filter(isBelow);
    fork.#summaries = this.#summaries.filter(isBelow);
    fork.#events = fromSequence;
    return fork;
  }

  #eventOf(step: Step, sequence: number): NewRunEvent {
    if (step.kind === 'window') return this.#window(step, sequence);
    const said = { sequence, text: step.text };
    const artifactId = artifact(step.text);
    switch (step.kind) {
      case 'message':
        this.#turns.push(said);
        return event(MESSAGE_APPENDED, { role: 'user', artifactId, toolCallIds: [] });
      case 'instruction':
        this.#instructions.push({ sequence, text: `instruction ${step.text}` });
        return event(INSTRUCTION_ADDED, { role: 'system', artifactId });
      case 'summary':
        this.#summaries.push(said);
        return event(CONTEXT_SUMMARIZED, {
          iteration: this.windows.length + 1,
          replacedTurns: [eventIdOf(this.runId, Math.max(0, sequence - 1))],
          summaryRef: artifactId,
          tokenCounter: 'chars',
          tokensBefore: 10,
          tokensAfter: 4,
        });
    }
  }

  /** Feeds the last summary and the last turns, of which the oldest may be cut. */
  #window({ turns, cut, again }: Extract<Step, { kind: 'window' }>, sequence: number): NewRunEvent {
    const fed = turns === 0 ? [] : this.#turns.slice(-turns);
    const [oldest] = fed;
    const summary = this.#summaries.at(-1);
    const isOlder = (said: Said) => !oldest || said.sequence < oldest.sequence;
    const tail = fed.map((said) =>
      cut !== undefined && said === oldest ? { ...said, text: `cut ${cut}` } : said,
    );
    const inOrder = [...this.#instructions.filter((said) => !isOlder(said)), ...tail];
    const texts = [
      ...this.#instructions.filter(isOlder),
      ...(summary ? [{ ...summary, text: `summary ${summary.text}` }] : []),
      ...inOrder.toSorted((a, b) => a.sequence - b.sequence),
    ].map(({ text }) => text);
    if (again) this.windows.pop();
    this.windows.push({ sequence, texts, unbounded: this.#turns.length, counter: this.#counter });
    const lastOther = this.windows.findLastIndex(({ counter }) => counter !== this.#counter);
    const summed = this.windows.slice(lastOther + 1);
    return event(WINDOW_PLANNED, {
      iteration: this.windows.length,
      asOfSequence: sequence - 1,
      lastMessageSequence: this.#turns.at(-1)?.sequence ?? -1,
      tokenCounter: this.#counter,
      tokenCount: texts.length,
      unboundedTokenCount: this.#turns.length,
      instructionTokens: 0,
      summarySequences: summary ? [summary.sequence] : [],
      tailFromSequence: oldest?.sequence ?? sequence,
      islands: [],
      pending: [],
      cuts:
        oldest && cut !== undefined
          ? [{ sequence: oldest.sequence, artifactId: artifact(cut), tokens: 1 }]
          : [],
      elided: [],
      messageCount: this.#turns.length,
      totals: {
        fedTokens: sum(summed.map((window) => window.texts.length)),
        unboundedTokens: sum(summed.map(({ unbounded }) => unbounded)),
        summaries: this.#summaries.length,
      },
    });
  }

  async #append(expectedHead: number | 'no-run', events: readonly NewRunEvent[]): Promise<void> {
    const at = new Date('2026-01-01T00:00:00.000Z');
    const start = expectedHead === 'no-run' ? { workflowId: workflowOf(events) } : {};
    const header = { status: 'running' as const, state: {} };
    const request = { tenantId: TENANT, runId: this.runId, expectedHead, events, at, header, ...start };
    await this.log.append(request);
    this.#events += events.length;
  }
}

function event(type: string, payload: JsonObject): NewRunEvent {
  return { type, payload, schemaVersion: 1 };
}

function workflowOf(events: readonly NewRunEvent[]): string {
  const named = events[0]?.payload['workflowId'];
  return typeof named === 'string' ? named : 'palimpsest-external';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
