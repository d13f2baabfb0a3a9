import type { PlacedEvent, RunHeader, TokenCounterName } from '@palimpsest/contracts';
import { TerminalError, type EventLog } from '@palimpsest/kernel';
import { livePlaces } from '../domain/carried-over.js';
import { learn, type KnownRun } from '../domain/known-run.js';
import { instructionEntry, RunHistory, standingSummary } from './run-history.js';

/** Runs that are remembered, those planned for last. */
const MOST_RUNS = 256;
/** Messages and instructions of a run that is remembered; of a larger one the log is read each time. */
const MOST_ROWS = 4096;
/** Events that are read after what is remembered; a run that went on for longer is read anew from its last window. */
const MOST_NEW_EVENTS = 500;

type RunKey = { readonly tenantId: string; readonly runId: string };

export type RunAsOfNow = { readonly header: RunHeader; readonly known: KnownRun };

/**
 * What the log says of runs. The log only grows, so what was known once stays true: it is remembered, and only what
 * came after it is read. Memory is a shortcut and nothing else: whatever it holds, the answer is the log's.
 */
export class KnownRuns {
  readonly #remembered = new Map<string, KnownRun>();

  constructor(private readonly log: EventLog) {}

  /** Header and knowledge of one moment; undefined where there is no such run. */
  async asOfNow(
    run: RunKey,
    counterOf: (header: RunHeader) => TokenCounterName,
  ): Promise<RunAsOfNow | undefined> {
    const remembered = this.#remembered.get(keyOf(run));
    const [header, newer] = await Promise.all([
      this.log.header(run.tenantId, run.runId),
      remembered && this.eventsAfter(run, remembered.upTo),
    ]);
    if (!header) return undefined;
    const counter = counterOf(header);
    const isNear =
      remembered?.counter === counter && isBetween(header.head - remembered.upTo, 0, MOST_NEW_EVENTS);
    const known = isNear ? remembered : await this.readUpTo(header, counter);
    return { header, known: await this.learnUpTo(header, known, { newer: newer ?? [], counter }) };
  }

  /** Keeps what is known, for the next time. */
  remember(run: RunKey, known: KnownRun): void {
    const key = keyOf(run);
    this.#remembered.delete(key);
    if (known.rows.length + known.instructions.length > MOST_ROWS) return;
    this.#remembered.set(key, known);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_RUNS && oldest !== undefined) this.#remembered.delete(oldest);
  }

  /** Header and `newer` are of two moments: events past the header are left for the next look, missing ones read. */
  private async learnUpTo(
    header: RunHeader,
    known: KnownRun,
    { newer, counter }: { readonly newer: readonly PlacedEvent[]; readonly counter: TokenCounterName },
  ): Promise<KnownRun> {
    const { runId, head } = header;
    let [now, events] = [known, newer];
    for (;;) {
      for (const event of events) {
        if (event.sequence > now.upTo && event.sequence <= head) now = learn(now, event, { runId, counter });
      }
      if (now.upTo === head) return now;
      events = await this.eventsAfter(header, now.upTo);
      if (events.length === 0) throw new TerminalError('internal_error', 'The log ends before its head.');
    }
  }

  private async eventsAfter({ tenantId, runId }: RunKey, sequence: number): Promise<readonly PlacedEvent[]> {
    const page = await this.log.readRun({ tenantId, runId, fromSequence: sequence + 1 });
    return page.events;
  }

  /** From the last window, which holds what the next plan builds on; from the start where there is none. */
  private async readUpTo(header: RunHeader, counter: TokenCounterName): Promise<KnownRun> {
    const { head } = header;
    const history = new RunHistory(this.log, header);
    const [found, instructions] = await Promise.all([history.lastWindow(head), history.instructions(head)]);
    const last = found && { sequence: found.event.sequence, window: found.window };
    const fed = last?.window.summarySequences ?? [];
    const [rows, pins, recorded, overlay] = await Promise.all([
      history.rows(livePlaces(last?.window), { to: head }, counter),
      history.pins(last?.window, head, counter),
      Promise.all(fed.map((place) => history.summaryAt(place))),
      header.origin && history.overlay({ from: (last?.sequence ?? -1) + 1, to: head }),
    ]);
    return {
      upTo: head,
      counter,
      last,
      overlay,
      summaries: recorded.filter((summary) => summary !== undefined).map(standingSummary),
      rows,
      instructions: instructions.map(instructionEntry),
      pins,
    };
  }
}

function keyOf({ tenantId, runId }: RunKey): string {
  return `${tenantId}/${runId}`;
}

function isBetween(value: number, least: number, most: number): boolean {
  return least <= value && value <= most;
}
