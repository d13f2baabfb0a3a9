import {
  planWindowSchema,
  type PlanWindow as PlanWindowRequest,
  type WindowPlan,
} from '@palimpsest/contracts';
import {
  hasCode,
  isErased,
  NotFoundError,
  OneAtATime,
  parseRequest,
  permitEffects,
  replayFlagsOf,
  SequenceConflictError,
  ServiceUnavailableError,
  type ArtifactStore,
  type Clock,
  type CountTokens,
  type EventLog,
  type RacePoints,
} from '@palimpsest/kernel';
import { assembleWindow, type AssemblyInput } from '../domain/assemble-window.js';
import { carriedOver, livePlaces, totalsBefore } from '../domain/carried-over.js';
import { learn, type KnownRun } from '../domain/known-run.js';
import { contextSettingsOf } from '../domain/run-settings.js';
import { hasNoArtifact, withStoredTurns, type StoredTurn } from '../domain/stored-turns.js';
import type { SummaryInForce } from '../domain/summary-in-force.js';
import { groupTurns } from '../domain/turn.js';
import { windowEvents, type WindowContext } from '../domain/window-record.js';
import { feasibleShape } from '../domain/window-shape.js';
import { KnownRuns } from '../history/known-runs.js';
import { RunHistory } from '../history/run-history.js';
import type { CutRequest, MessageCutter } from './message-cutter.js';
import type { PrepareAhead, RunOfSummaries } from './prepare-ahead.js';
import { summaryInForce } from './summaries-in-force.js';
import type { SummaryDesk } from './summary-desk.js';
import { TurnStore } from './turn-store.js';
import { describeLastWindow } from './window-describer.js';
import { assertActive, hasItsWindow, headerAfter, momentOf, type Moment } from './window-moment.js';

/** Appends that may get in between before the caller is told to try again. */
const ATTEMPTS = 25;

/** Nothing is held: the window is planned and its cuts and summaries are stored, but not recorded. */
export const BEFORE_WINDOW_RECORDED = 'assembler.before-window-recorded';

export type PlanWindowPorts = {
  readonly log: EventLog;
  readonly artifacts: ArtifactStore;
  readonly clock: Clock;
  readonly count: CountTokens;
  readonly cutter: MessageCutter;
  readonly summaries: SummaryDesk;
  /** Where summaries are to be made ahead of need. */
  readonly ahead?: PrepareAhead;
  /** Most tokens of the messages of one summary job. */
  readonly jobTokens?: number;
  readonly racePoints: RacePoints;
};

/** What attempts of one plan have made: who lost a race is not to be slower than its winners for ever. */
type MadeBefore = {
  readonly turns: StoredTurn[];
  /** By the message's place and the room. */
  readonly cuts: Map<string, ReturnType<MessageCutter['cut']>>;
};

/**
 * Plans and records the window of the next iteration. Summaries and window are one append on the head that
 * was read: of two planners one wins and the other finds the recorded window, a crash leaves nothing half done.
 */
export class PlanWindow {
  private readonly runs: KnownRuns;
  /** Planners of one run wait for each other: all but the first find its window, instead of making it in vain. */
  private readonly inTurn = new OneAtATime();

  private readonly turns: TurnStore;

  constructor(private readonly ports: PlanWindowPorts) {
    this.runs = new KnownRuns(ports.log);
    this.turns = new TurnStore(ports.artifacts);
  }

  async handle(body: unknown): Promise<WindowPlan> {
    const request = parseRequest(planWindowSchema, body);
    return this.inTurn.run(`${request.tenantId}/${request.runId}`, () => this.plan(request));
  }

  private async plan(request: PlanWindowRequest): Promise<WindowPlan> {
    const made: MadeBefore = { turns: [], cuts: new Map() };
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const moment = await this.moment(request);
      // Also of a race that is lost: the next look reads only what came since.
      this.runs.remember(request, moment.known);
      const known = hasItsWindow(moment) ? moment.known : await this.recorded(request, moment, made);
      if (!known?.last) continue;
      this.runs.remember(request, known);
      return describeLastWindow(request.runId, known.last, known);
    }
    throw new ServiceUnavailableError('The run is written to so often that its window', {
      retryAfterMs: 200,
    });
  }

  private async moment(request: PlanWindowRequest): Promise<Moment> {
    const { runId, expectedSequence } = request;
    const now = await this.runs.asOfNow(request, (header) => contextSettingsOf(header).tokenCounter);
    if (!now) throw new NotFoundError('The run', { runId });
    const moment = momentOf(request, now);
    const { lastMessageSequence } = moment.facts;
    if (expectedSequence !== undefined && expectedSequence !== lastMessageSequence) {
      throw new SequenceConflictError(runId, expectedSequence, lastMessageSequence);
    }
    return moment;
  }

  /** Plans and records; undefined where somebody wrote first: the next look at the log finds what stands. */
  private async recorded(
    request: PlanWindowRequest,
    moment: Moment,
    made: MadeBefore,
  ): Promise<KnownRun | undefined> {
    const { tenantId, runId } = request;
    assertActive(moment);
    const flags = replayFlagsOf(moment.header);
    const turns = await this.storedTurns(request, moment, made);
    const input = await this.input(request, moment, turns);
    const run = summariesRun(request, moment);
    const { summaries, ahead } = this.ports;
    const patience = summaries.patience();
    const assembled = await assembleWindow(input, {
      cut: (row, max) => this.cutOnce({ ...run, row, max, flags }, made),
      summarize: (wanted) => summaries.obtain({ ...run, ...wanted }, patience),
      ...(ahead && { prepared: (wanted) => summaries.prepared({ ...run, ...wanted }) }),
    }).finally(() => patience.end());
    await this.ports.racePoints.reach(BEFORE_WINDOW_RECORDED);
    const { head } = moment.header;
    const events = windowEvents(assembled, windowContext(moment, turns), head);
    const at = this.ports.clock.now();
    const header = headerAfter(moment, events, at);
    try {
      await this.ports.log.append({
        tenantId,
        runId,
        expectedHead: head,
        events,
        at,
        ...(header && { header }),
      });
    } catch (error) {
      if (hasCode(error, 'sequence_conflict')) return undefined;
      throw error;
    }
    ahead?.after(run, input, assembled);
    return events.reduce(
      (known, event, index) => learn(known, { ...event, sequence: head + 1 + index }, run),
      moment.known,
    );
  }

  /** Of an execution loop: what its events since the last window say is made durable before a plan can name it. */
  private async storedTurns(
    request: PlanWindowRequest,
    { header, known }: Moment,
    { turns }: MadeBefore,
  ): Promise<readonly StoredTurn[]> {
    const stored = new Set(turns.map(({ sequence }) => sequence));
    const first = known.rows.find((row) => hasNoArtifact(row) && !stored.has(row.sequence));
    if (!first) return turns;
    const history = new RunHistory(this.ports.log, request);
    const range = { from: first.sequence, to: header.head };
    turns.push(...(await this.turns.store(request, history.loopTurns(range))));
    return turns;
  }

  private cutOnce(request: CutRequest, { cuts }: MadeBefore): ReturnType<MessageCutter['cut']> {
    const key = `${request.row.sequence} ${request.max}`;
    const cut = cuts.get(key) ?? this.ports.cutter.cut(request);
    cuts.set(key, cut);
    return cut;
  }

  private async input(
    request: PlanWindowRequest,
    { facts: { context }, known }: Moment,
    turns: readonly StoredTurn[],
  ): Promise<AssemblyInput> {
    const { last } = known;
    const rows = withStoredTurns(known.rows, turns);
    return {
      shape: feasibleShape(known.pins, context),
      strategy: context.strategy,
      turns: groupTurns(rows),
      ...carriedOver(last?.window, rows, { isOverlaid: known.overlay !== undefined }),
      tailFrom: livePlaces(last?.window).tailFrom,
      summaries: context.strategy === 'none' ? [] : await this.summariesInForce(request, known),
      ...(this.ports.jobTokens !== undefined && { jobTokens: this.ports.jobTokens }),
    };
  }

  /** An erased summary does not exist for the plan; what it stood for is then evicted. */
  private async summariesInForce(
    { tenantId }: PlanWindowRequest,
    { last, summaries, counter }: KnownRun,
  ): Promise<SummaryInForce[]> {
    const inForce = summaries.filter(({ sequence }) => last?.window.summarySequences.includes(sequence));
    if (inForce.length === 0) return [];
    const refs = inForce.map(({ summary }) => summary.summaryRef);
    const readings = await this.ports.artifacts.get(tenantId, refs);
    const counted = { counter, count: this.ports.count, last: last?.window };
    return inForce.flatMap((standing) => {
      const reading = readings.get(standing.summary.summaryRef);
      if (!reading || isErased(reading)) return [];
      return summaryInForce(standing, reading, counted) ?? [];
    });
  }
}

function summariesRun(
  { tenantId, runId }: PlanWindowRequest,
  { header, facts, loop }: Moment,
): RunOfSummaries {
  const permit = permitEffects({ ...header, origin: header.origin });
  const { tokenCounter: counter } = facts.context;
  return { tenantId, runId, counter, permit, ...(loop && { nodeId: loop.turn.nodeId }) };
}

function windowContext({ header, known, facts, loop }: Moment, turns: readonly StoredTurn[]): WindowContext {
  const { last, pins } = known;
  const iteration = loop?.turn.iteration ?? (last?.window.iteration ?? 0) + 1;
  return {
    runId: header.runId,
    settings: facts.context,
    iteration,
    asOfSequence: header.head,
    lastMessageSequence: facts.lastMessageSequence,
    messageCount: facts.messageCount,
    unboundedTokens: facts.transcriptTokens,
    instructionTokens: facts.instructionTokens,
    totalsBefore: totalsBefore({ counter: facts.context.tokenCounter, iteration }, last?.window),
    pins,
    turns,
    ...(loop && { nodeId: loop.turn.nodeId }),
  };
}
