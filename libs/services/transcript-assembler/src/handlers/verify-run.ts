import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  CONTEXT_SUMMARIZED,
  placeOfEventId,
  runQuerySchema,
  type JsonObject,
  type RecordedEvent,
  type ReplayFlags,
  type TokenCounterName,
  type Verification,
} from '@palimpsest/contracts';
import {
  isErased,
  NotFoundError,
  parseRequest,
  readEvents,
  replayFlagsOf,
  type ArtifactReading,
  type ArtifactStore,
  type CountTokens,
  type EventLog,
} from '@palimpsest/kernel';
import { assembleWindow } from '../domain/assemble-window.js';
import { carriedOver, livePlaces } from '../domain/carried-over.js';
import { fedSummary, windowEntries } from '../domain/describe-window.js';
import { contextSettingsOf } from '../domain/run-settings.js';
import { SETTINGS_TYPES, settingsFrom } from '../domain/settings-from.js';
import type { RecordedEnds } from '../domain/replaced-chunks.js';
import type { SummaryInForce } from '../domain/summary-in-force.js';
import { groupTurns } from '../domain/turn.js';
import { windowEvents } from '../domain/window-record.js';
import { shapeBeside } from '../domain/window-shape.js';
import { ReplayedRun, type WindowToCheck } from '../history/replayed-run.js';
import { fedSummaries, standingSummary, type RecordedSummary } from '../history/run-history.js';
import type { SummaryJobStore } from '../store/summary-job-store.js';
import type { MessageCutter } from './message-cutter.js';
import { RecordedEffects, type Mismatch } from './recorded-effects.js';
import { EntryRenderer } from './rendered-window.js';
import { returnedAgain } from './returned-again.js';
import { summaryInForce } from './summaries-in-force.js';
import { turnsAgain } from './turns-again.js';
import type { RunKey } from './window-describer.js';

export type VerifyRunPorts = {
  readonly log: EventLog;
  readonly artifacts: ArtifactStore;
  readonly cutter: MessageCutter;
  readonly jobs: SummaryJobStore;
  readonly count: CountTokens;
};

type Difference = NonNullable<Verification['firstDifference']>;

/**
 * Derives every window of a run again, from log and artifacts alone, and compares it with what was recorded; up to its head
 * as of the request, as a run may go on meanwhile.
 * No summarizer is called: there is none here. `summarizerCalls` is what the run's own windows have asked for.
 */
export class VerifyRun {
  constructor(private readonly ports: VerifyRunPorts) {}

  async handle(body: unknown): Promise<Verification> {
    const run = parseRequest(runQuerySchema, body);
    const header = await this.ports.log.header(run.tenantId, run.runId);
    if (!header) throw new NotFoundError('The run', { runId: run.runId });
    const settings = contextSettingsOf(header);
    const checker = new WindowChecker(this.ports, { ...run, flags: replayFlagsOf(header) });
    let replayed = new ReplayedRun(run.runId, settings);
    let expected = 0;
    const range = { ...run, from: 0, to: header.head };
    for await (const event of readEvents(this.ports.log, range)) {
      if (event.sequence !== expected) return checker.result(gap(expected));
      expected += 1;
      replayed = (await this.underOther(run, event)) ?? replayed;
      const check = ReplayedRun.eventTypes.includes(event.type) ? replayed.next(event) : undefined;
      const difference = check && (await checker.check(check));
      if (difference) return checker.result(difference);
    }
    return checker.result(expected === header.head + 1 ? undefined : gap(expected));
  }

  /**
   * Where an event changes what windows are held to, all before it is folded once more, in the unit of the new settings;
   * the windows there were checked under their own.
   */
  private async underOther(run: RunKey, event: RecordedEvent): Promise<ReplayedRun | undefined> {
    const settings = SETTINGS_TYPES.includes(event.type) ? settingsFrom(event) : undefined;
    if (!settings) return undefined;
    const replayed = new ReplayedRun(run.runId, settings);
    const before = { ...run, from: 0, to: event.sequence - 1, types: ReplayedRun.eventTypes };
    for await (const earlier of readEvents(this.ports.log, before)) replayed.next(earlier);
    return event.sequence === 0 ? replayed : replayed.overlaid();
  }
}

function gap(sequence: number): Difference {
  return { sequence, what: 'an event is missing from the log' };
}

class WindowChecker {
  readonly #digest = createHash('sha256');
  readonly #renderers = new Map<TokenCounterName, EntryRenderer>();
  #windows = 0;

  constructor(
    private readonly ports: VerifyRunPorts,
    private readonly run: RunKey & { readonly flags: ReplayFlags },
  ) {}

  async result(difference: Difference | undefined): Promise<Verification> {
    const summarizerCalls = await this.ports.jobs.countOf(this.run);
    return {
      ok: difference === undefined,
      windowsChecked: this.#windows,
      artifactsChecked: new Set([...this.#renderers.values()].flatMap(({ read }) => [...read])).size,
      summarizerCalls,
      windowsDigest: this.#digest.copy().digest('hex'),
      ...(difference && { firstDifference: difference }),
    };
  }

  async check(check: WindowToCheck): Promise<Difference | undefined> {
    this.#windows += 1;
    const { iteration } = check.recorded.window;
    const found =
      (await turnsAgain(check, this.ports.artifacts, this.run.tenantId)) ??
      (await returnedAgain(check, this.ports, this.run.tenantId)) ??
      (await this.planAgain(check)) ??
      (await this.readAgain(check));
    return found && { iteration, ...found };
  }

  /** The plan. Summaries that the window no longer builds on were refused room, or they were erased by then. */
  private async planAgain(check: WindowToCheck): Promise<Mismatch | undefined> {
    const before = check.previousSummaries;
    const builtOn = before.filter((summary) => isBuiltOn(summary, check));
    const found = await this.planWith(before, check);
    return found && builtOn.length < before.length ? this.planWith(builtOn, check) : found;
  }

  /** With the recorded summaries as the only answers. */
  private async planWith(
    before: readonly RecordedSummary[],
    check: WindowToCheck,
  ): Promise<Mismatch | undefined> {
    const { recorded, previous, rows, context, isOverlaid } = check;
    const { settings } = context;
    const verdict = shapeBeside(context.pins, settings);
    if (!verdict.feasible) return { sequence: recorded.event.sequence, what: 'the budget is infeasible' };
    const summaries = settings.strategy === 'none' ? [] : await this.inForce(before, check);
    if ('what' in summaries) return summaries;
    const run = { ...this.run, counter: settings.tokenCounter };
    const effects = new RecordedEffects(check, run, this.ports);
    const assembled = await assembleWindow(
      {
        shape: verdict.shape,
        strategy: settings.strategy,
        turns: groupTurns(rows.filter(({ sequence }) => sequence <= context.asOfSequence)),
        ...carriedOver(previous, rows, { isOverlaid }),
        tailFrom: livePlaces(previous).tailFrom,
        summaries,
        recorded: recordedEnds(check),
      },
      effects,
    );
    const head = recorded.event.sequence - check.summaries.length - 1;
    const found =
      effects.mismatches[0] ??
      differenceOf(windowEvents(assembled, context, head), [...check.summaries, recorded]);
    const [erased] = effects.erased;
    return found && erased !== undefined ? { sequence: erased, what: ERASED } : found;
  }

  /** Read only where one was recorded in another unit. */
  private async inForce(
    before: readonly RecordedSummary[],
    { context: { settings }, previous }: WindowToCheck,
  ): Promise<readonly SummaryInForce[] | Mismatch> {
    const { tokenCounter: counter } = settings;
    const others = before.filter(({ summary }) => summary.tokenCounter !== counter);
    const refs = others.map(({ summary }) => summary.summaryRef);
    const readings = await this.ports.artifacts.get(this.run.tenantId, refs);
    const inForce: SummaryInForce[] = [];
    for (const one of before) {
      const reading = readings.get(one.summary.summaryRef);
      const counted = { counter, count: this.ports.count, last: previous };
      const summary = summaryInForce(standingSummary(one), reading, counted);
      if (!summary) return { sequence: one.event.sequence, what: uncounted(reading) };
      inForce.push(summary);
    }
    return inForce;
  }

  /** The bytes: every entry is rendered again and counted. */
  private async readAgain({
    recorded,
    rows,
    summaries,
    previousSummaries,
    context: { settings },
  }: WindowToCheck): Promise<Mismatch | undefined> {
    const { window } = recorded;
    const fed = fedSummaries([...previousSummaries, ...summaries], window).map((one) =>
      fedSummary(window, standingSummary(one)),
    );
    const live = liveRows(window, rows);
    const entries = windowEntries({ runId: this.run.runId, window, rows: live, summaries: fed });
    const rendered = await this.rendererIn(settings.tokenCounter).render(entries);
    let total = 0;
    for (const [index, entry] of entries.entries()) {
      const text = rendered[index];
      if (!text || 'unreadable' in text) {
        return { sequence: entry.sequence, what: `its content is ${text?.unreadable ?? 'missing'}` };
      }
      if (text.tokens !== entry.tokens)
        return { sequence: entry.sequence, what: 'it counts other than recorded' };
      total += text.tokens;
      this.#digest.update(text.text);
    }
    const sequence = recorded.event.sequence;
    if (total !== window.tokenCount) return { sequence, what: 'the window counts other than recorded' };
    return total <= settings.transcriptTokenBudget
      ? undefined
      : { sequence, what: 'the window is over its budget' };
  }

  private rendererIn(counter: TokenCounterName): EntryRenderer {
    const { artifacts, count } = this.ports;
    const known = this.#renderers.get(counter);
    const renderer = known ?? new EntryRenderer(artifacts, count, { tenantId: this.run.tenantId, counter });
    this.#renderers.set(counter, renderer);
    return renderer;
  }
}

/** A difference that nobody made by tampering. */
const ERASED = 'its content is erased';

function uncounted(reading: ArtifactReading | undefined): string {
  return reading && isErased(reading) ? ERASED : 'its content cannot be counted again';
}

function liveRows(
  window: WindowToCheck['recorded']['window'],
  rows: WindowToCheck['rows'],
): WindowToCheck['rows'] {
  const { tailFrom, apart } = livePlaces(window);
  const places = new Set(apart);
  return rows.filter(({ sequence }) => sequence >= tailFrom || places.has(sequence));
}

/** Where the messages of recorded summaries begin and end: what they replaced is divided as it was then. */
function recordedEnds({ previousSummaries, summaries }: WindowToCheck): RecordedEnds {
  const absorbed = new Set([...previousSummaries, ...summaries].map(({ event }) => event.sequence));
  const ends = { firsts: new Set<number>(), lasts: new Set<number>() };
  for (const { summary } of summaries) {
    const places = summary.replacedTurns
      .map((id) => placeOfEventId(id)?.sequence ?? -1)
      .filter((place) => !absorbed.has(place));
    ends.firsts.add(Math.min(...places));
    ends.lasts.add(Math.max(...places));
  }
  return ends;
}

/** True where the window feeds a summary that was in force before it, or one that absorbs it. */
function isBuiltOn(
  { event: { sequence } }: RecordedSummary,
  { recorded, summaries }: WindowToCheck,
): boolean {
  const absorbed = summaries.some(({ summary }) =>
    summary.replacedTurns.some((id) => placeOfEventId(id)?.sequence === sequence),
  );
  return absorbed || recorded.window.summarySequences.includes(sequence);
}

type Recorded = {
  readonly event: { readonly type: string; readonly sequence: number; readonly payload: JsonObject };
};

function differenceOf(
  derived: readonly { readonly type: string; readonly payload: JsonObject }[],
  recorded: readonly Recorded[],
): Mismatch | undefined {
  for (const [index, { event }] of recorded.entries()) {
    const mine = derived[index];
    if (!mine || mine.type !== event.type)
      return { sequence: event.sequence, what: 'it is not derived again' };
    const [left, right] = [comparable(mine.type, mine.payload), comparable(event.type, event.payload)];
    const key = Object.keys({ ...left, ...right }).find(
      (name) => !isDeepStrictEqual(left[name], right[name]),
    );
    if (key) return { sequence: event.sequence, what: `"${key}" is derived otherwise` };
  }
  return undefined;
}

/** Ids inside payloads stay the source's on a fork: they are compared by the place they name. */
function comparable(type: string, payload: JsonObject): Record<string, unknown> {
  if (type !== CONTEXT_SUMMARIZED) return payload;
  const ids = payload['replacedTurns'] as readonly string[];
  return { ...payload, replacedTurns: ids.map((id) => placeOfEventId(id)?.sequence) };
}
