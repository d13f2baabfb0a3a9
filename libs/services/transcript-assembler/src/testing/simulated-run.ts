import type { ContextSettings, NewRunEvent, WindowPlanned } from '@palimpsest/contracts';
import { assembleWindow, type AssembledWindow } from '../domain/assemble-window.js';
import type { AssemblyEffects } from '../domain/assembly-effects.js';
import { carriedOver, livePlaces, totalsBefore } from '../domain/carried-over.js';
import type { SummaryInForce } from '../domain/summary-in-force.js';
import type { Pin } from '../domain/pins.js';
import { groupTurns, type TranscriptRow, type Turn } from '../domain/turn.js';
import { windowEvents } from '../domain/window-record.js';
import { feasibleShape, shapeBeside, type WindowShape } from '../domain/window-shape.js';

export type Act =
  | { readonly act: 'say'; readonly tokens: number }
  | { readonly act: 'call'; readonly tokens: number; readonly calls: number }
  /** Answers an open call: the oldest, or the newest. */
  | { readonly act: 'result'; readonly tokens: number; readonly newest: boolean }
  /** Without effect where it would leave the turns to keep no room. */
  | { readonly act: 'pin'; readonly tokens: number }
  /** Removes the oldest pin, or the newest. */
  | { readonly act: 'unpin'; readonly newest: boolean }
  | { readonly act: 'window' };

export type SimulatedWindow = {
  readonly payload: WindowPlanned;
  readonly assembled: AssembledWindow;
  readonly rows: readonly TranscriptRow[];
  readonly turns: readonly Turn[];
  readonly events: readonly NewRunEvent[];
};

type OpenCall = { readonly id: string; readonly callSequence: number };

/** A run in memory: rows and recorded windows as the log would hold them, carried over as the service does. */
export class SimulatedRun {
  readonly rows: TranscriptRow[] = [];
  readonly windows: SimulatedWindow[] = [];
  /** Places replaced by recorded summaries, evicted ones not included. */
  readonly summarized = new Set<number>();
  #pins: readonly Pin[] = [];
  #head = 0;
  #open: OpenCall[] = [];
  #summaries: readonly SummaryInForce[] = [];

  constructor(
    private readonly settings: ContextSettings,
    private readonly effects: AssemblyEffects,
    private readonly jobTokens = 200_000,
  ) {
    feasibleShape([], settings);
  }

  /** As of now. */
  get shape(): WindowShape {
    return feasibleShape(this.#pins, this.settings);
  }

  async play(act: Act): Promise<void> {
    switch (act.act) {
      case 'say':
        return this.append({ role: 'user', tokens: act.tokens, toolCallIds: [] });
      case 'call':
        return this.call(act.tokens, act.calls);
      case 'result':
        return this.result(act.tokens, act.newest);
      case 'pin':
        return this.pin(act.tokens);
      case 'unpin':
        return this.unpin(act.newest);
      case 'window':
        await this.window();
    }
  }

  private pin(tokens: number): void {
    const sequence = this.#head + 1;
    const pins = [
      ...this.#pins,
      { pinId: `pin_${sequence}`, sequence, artifactId: `art_${sequence}`, tokens },
    ];
    if (!shapeBeside(pins, this.settings).feasible) return;
    this.#pins = pins;
    this.#head = sequence;
  }

  private unpin(newest: boolean): void {
    if (this.#pins.length === 0) return;
    this.#pins = newest ? this.#pins.slice(0, -1) : this.#pins.slice(1);
    this.#head += 1;
  }

  private append(row: Omit<TranscriptRow, 'sequence' | 'artifactId'>): void {
    this.#head += 1;
    this.rows.push({ ...row, sequence: this.#head, artifactId: `art_${this.#head}` });
  }

  private call(tokens: number, calls: number): void {
    const callSequence = this.#head + 1;
    const ids = Array.from({ length: calls }, (_, index) => `call-${callSequence}-${index}`);
    this.append({ role: 'assistant', tokens, toolCallIds: ids });
    this.#open.push(...ids.map((id) => ({ id, callSequence })));
  }

  private result(tokens: number, newest: boolean): void {
    const open = newest ? this.#open.pop() : this.#open.shift();
    if (open) this.append({ role: 'tool', tokens, toolCallIds: [open.id], callSequence: open.callSequence });
  }

  private async window(): Promise<void> {
    const last = this.windows.at(-1);
    if (last && last.payload.asOfSequence + last.events.length === this.#head) return;
    const previous = last?.payload;
    const { tailFrom, apart } = livePlaces(previous);
    const live = this.rows.filter(({ sequence }) => sequence >= tailFrom || apart.includes(sequence));
    const assembled = await assembleWindow(
      {
        shape: this.shape,
        strategy: this.settings.strategy,
        turns: groupTurns(live),
        ...carriedOver(previous, live, { isOverlaid: false }),
        tailFrom,
        summaries: this.#summaries,
        jobTokens: this.jobTokens,
      },
      this.effects,
    );
    this.record(assembled, previous);
  }

  private record(assembled: AssembledWindow, previous: WindowPlanned | undefined): void {
    const iteration = this.windows.length + 1;
    const events = windowEvents(
      assembled,
      {
        runId: 'run_1',
        settings: this.settings,
        iteration,
        asOfSequence: this.#head,
        lastMessageSequence: this.rows.at(-1)?.sequence ?? -1,
        messageCount: this.rows.length,
        unboundedTokens: this.rows.reduce((sum, { tokens }) => sum + tokens, 0),
        instructionTokens: 0,
        pins: this.#pins,
        turns: [],
        totalsBefore: totalsBefore({ counter: this.settings.tokenCounter, iteration }, previous),
      },
      this.#head,
    );
    const payload = events.at(-1)?.payload as unknown as WindowPlanned;
    this.#summaries = assembled.summaries.map((summary, index) => ({
      ...summary,
      place: { sequence: payload.summarySequences[index] ?? -1 },
    }));
    assembled.newSummaries.flatMap(({ rows }) => rows).forEach((row) => this.summarized.add(row.sequence));
    this.windows.push({ payload, assembled, events, rows: [...this.rows], turns: groupTurns(this.rows) });
    this.#head += events.length;
  }
}
