import {
  isTerminalStatus,
  ownLoopStateSchema,
  planWindowSchema,
  type OwnLoopState,
  type PlanWindow as PlanWindowRequest,
  type RunHeader,
  type WindowPlan,
} from '@palimpsest/contracts';
import {
  hasCode,
  isErased,
  NotFoundError,
  OneAtATime,
  parseRequest,
  RunNotActiveError,
  SequenceConflictError,
  ServiceUnavailableError,
  TerminalError,
  ValidationError,
  type ArtifactStore,
  type Clock,
  type EventLog,
  type RacePoints,
} from '@palimpsest/kernel';
import { shapeBudget, type BudgetShape } from '@palimpsest/transcript';
import { assembleWindow, type AssemblyInput, type SummaryInForce } from '../domain/assemble-window.js';
import { carriedRenderings, livePlaces, stillPending } from '../domain/carried-over.js';
import { learn, type KnownRun } from '../domain/known-run.js';
import { groupTurns } from '../domain/turn.js';
import { windowEvents, type WindowContext } from '../domain/window-record.js';
import { KnownRuns } from '../history/known-runs.js';
import type { MessageCutter } from './message-cutter.js';
import type { SummaryDesk } from './summary-desk.js';
import { describeLastWindow } from './window-describer.js';

/** Appends that may get in between before the caller is told to try again. */
const ATTEMPTS = 25;

/** Nothing is held: the window is planned and its cuts and summaries are stored, but not recorded. */
export const BEFORE_WINDOW_RECORDED = 'assembler.before-window-recorded';

export type PlanWindowPorts = {
  readonly log: EventLog;
  readonly artifacts: ArtifactStore;
  readonly clock: Clock;
  readonly cutter: MessageCutter;
  readonly summaries: SummaryDesk;
  readonly racePoints: RacePoints;
};

type Moment = {
  readonly header: RunHeader;
  readonly state: OwnLoopState;
  readonly known: KnownRun;
};

/**
 * Plans and records the window of the next iteration. Summaries and window are one append on the head that
 * was read: of two planners one wins and the other finds the recorded window, a crash leaves nothing half done.
 */
export class PlanWindow {
  private readonly runs: KnownRuns;
  /** Planners of one run wait for each other: all but the first find its window, instead of making it in vain. */
  private readonly inTurn = new OneAtATime();

  constructor(private readonly ports: PlanWindowPorts) {
    this.runs = new KnownRuns(ports.log);
  }

  async handle(body: unknown): Promise<WindowPlan> {
    const request = parseRequest(planWindowSchema, body);
    return this.inTurn.run(`${request.tenantId}/${request.runId}`, () => this.plan(request));
  }

  private async plan(request: PlanWindowRequest): Promise<WindowPlan> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const moment = await this.moment(request);
      const known = hasItsWindow(moment) ? moment.known : await this.recorded(request, moment);
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
    const now = await this.runs.asOfNow(request, (header) => ownLoopState(header).context.tokenCounter);
    if (!now) throw new NotFoundError('The run', { runId });
    const state = ownLoopState(now.header);
    if (expectedSequence !== undefined && expectedSequence !== state.lastMessageSequence) {
      throw new SequenceConflictError(runId, expectedSequence, state.lastMessageSequence);
    }
    return { ...now, state };
  }

  /** Plans and records; undefined where somebody wrote first: the next look at the log finds what stands. */
  private async recorded(request: PlanWindowRequest, moment: Moment): Promise<KnownRun | undefined> {
    const { tenantId, runId } = request;
    assertActive(moment.header);
    const input = await this.input(request, moment);
    const run = { tenantId, runId, counter: moment.state.context.tokenCounter };
    const assembled = await assembleWindow(input, {
      cut: (row, max) => this.ports.cutter.cut({ ...run, row, max }),
      summarize: (wanted) => this.ports.summaries.obtain({ ...run, ...wanted }),
    });
    await this.ports.racePoints.reach(BEFORE_WINDOW_RECORDED);
    const head = moment.header.head;
    const events = windowEvents(assembled, windowContext(request, moment), head);
    try {
      await this.ports.log.append({
        tenantId,
        runId,
        expectedHead: head,
        events,
        at: this.ports.clock.now(),
      });
    } catch (error) {
      if (hasCode(error, 'sequence_conflict')) return undefined;
      throw error;
    }
    return events.reduce(
      (known, event, index) => learn(known, { ...event, sequence: head + 1 + index }, run),
      moment.known,
    );
  }

  private async input(request: PlanWindowRequest, { state, known }: Moment): Promise<AssemblyInput> {
    const { last, rows } = known;
    const summary = await this.summaryInForce(request, known);
    return {
      shape: feasibleShape(state),
      strategy: state.context.strategy,
      turns: groupTurns(rows),
      pending: last ? stillPending(last.window, rows) : new Set(),
      known: last ? carriedRenderings(last.window, rows) : new Map(),
      tailFrom: livePlaces(last?.window).tailFrom,
      ...(summary && { summary }),
    };
  }

  /** An erased summary does not exist for the plan; what it stood for is then evicted. */
  private async summaryInForce(
    { tenantId }: PlanWindowRequest,
    { last, summary: recorded }: KnownRun,
  ): Promise<SummaryInForce | undefined> {
    if (!recorded || recorded.sequence !== last?.window.summarySequences.at(-1)) return undefined;
    const { summaryRef, tokensAfter } = recorded.summary;
    const reading = (await this.ports.artifacts.get(tenantId, [summaryRef])).get(summaryRef);
    if (!reading || isErased(reading)) return undefined;
    return { summaryRef, tokens: tokensAfter, sequence: recorded.sequence };
  }
}

/** True where nothing was said since the last window: asking again answers the same. */
function hasItsWindow({ known: { last }, state }: Moment): boolean {
  return last?.window.lastMessageSequence === state.lastMessageSequence;
}

function ownLoopState({ runId, state }: RunHeader): OwnLoopState {
  const parsed = ownLoopStateSchema.safeParse(state);
  if (parsed.success) return parsed.data;
  throw new ValidationError('The run has no transcript of its own loop.', { runId });
}

function assertActive({ runId, status, origin }: RunHeader): void {
  if (isTerminalStatus(status)) throw new RunNotActiveError(runId, status);
  if (origin?.mode === 'replay') throw new RunNotActiveError(runId, status, 'replay');
}

function feasibleShape({ context }: OwnLoopState): BudgetShape {
  const verdict = shapeBudget(context);
  if (verdict.feasible) return verdict.shape;
  throw new TerminalError(
    'context_budget_infeasible',
    'The budget is too small for the settings of the run.',
    {
      details: { minimumBudget: verdict.minimumBudget },
    },
  );
}

function windowContext({ runId }: PlanWindowRequest, { header, state, known }: Moment): WindowContext {
  const { last } = known;
  return {
    runId,
    settings: state.context,
    iteration: (last?.window.iteration ?? 0) + 1,
    asOfSequence: header.head,
    lastMessageSequence: state.lastMessageSequence,
    messageCount: state.messageCount,
    unboundedTokens: state.transcriptTokens,
    instructionTokens: state.instructionTokens,
    totalsBefore: last?.window.totals ?? { fedTokens: 0, unboundedTokens: 0, summaries: 0 },
  };
}
