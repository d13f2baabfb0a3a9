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
import { groupTurns } from '../domain/turn.js';
import { windowEvents, type WindowContext } from '../domain/window-record.js';
import { RunHistory, type RecordedWindow } from '../history/run-history.js';
import type { MessageCutter } from './message-cutter.js';
import type { SummaryDesk } from './summary-desk.js';
import { describeWindow } from './window-describer.js';

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
  readonly last: RecordedWindow | undefined;
};

/**
 * Plans and records the window of the next iteration. Summaries and window are one append on the head that
 * was read: of two planners one wins and the other finds the recorded window, a crash leaves nothing half done.
 */
export class PlanWindow {
  constructor(private readonly ports: PlanWindowPorts) {}

  async handle(body: unknown): Promise<WindowPlan> {
    const request = planWindowSchema.parse(body);
    const history = new RunHistory(this.ports.log, request);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const moment = await this.moment(request, history);
      const { last, state } = moment;
      if (last && last.window.lastMessageSequence === state.lastMessageSequence) {
        return describeWindow(this.ports.log, request, last);
      }
      assertActive(moment.header);
      await this.record(request, history, moment);
    }
    throw new ServiceUnavailableError('The run is written to so often that its window', {
      retryAfterMs: 200,
    });
  }

  private async moment(request: PlanWindowRequest, history: RunHistory): Promise<Moment> {
    const { tenantId, runId, expectedSequence } = request;
    const header = await this.ports.log.header(tenantId, runId);
    if (!header) throw new NotFoundError('The run', { runId });
    const parsed = ownLoopStateSchema.safeParse(header.state);
    if (!parsed.success) throw new ValidationError('The run has no transcript of its own loop.', { runId });
    const state = parsed.data;
    if (expectedSequence !== undefined && expectedSequence !== state.lastMessageSequence) {
      throw new SequenceConflictError(runId, expectedSequence, state.lastMessageSequence);
    }
    return { header, state, last: await history.lastWindow(header.head) };
  }

  /** Records the window, unless somebody wrote first: either way the next look at the log finds what stands. */
  private async record(request: PlanWindowRequest, history: RunHistory, moment: Moment): Promise<void> {
    const { tenantId, runId } = request;
    const input = await this.input(request, history, moment);
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
      if (!hasCode(error, 'sequence_conflict')) throw error;
    }
  }

  private async input(
    request: PlanWindowRequest,
    history: RunHistory,
    moment: Moment,
  ): Promise<AssemblyInput> {
    const { header, state, last } = moment;
    const places = livePlaces(last?.window);
    const rows = await history.rows(places, header.head, state.context.tokenCounter);
    const summary = await this.summaryInForce(request, history, last);
    return {
      shape: feasibleShape(state),
      strategy: state.context.strategy,
      turns: groupTurns(rows),
      pending: last ? stillPending(last.window, rows) : new Set(),
      known: last ? carriedRenderings(last.window, rows) : new Map(),
      tailFrom: places.tailFrom,
      ...(summary && { summary }),
    };
  }

  /** An erased summary does not exist for the plan; what it stood for is then evicted. */
  private async summaryInForce(
    { tenantId }: PlanWindowRequest,
    history: RunHistory,
    last: RecordedWindow | undefined,
  ): Promise<SummaryInForce | undefined> {
    const sequence = last?.window.summarySequences.at(-1);
    const recorded = sequence === undefined ? undefined : await history.summaryAt(sequence);
    if (!recorded) return undefined;
    const { summaryRef, tokensAfter } = recorded.summary;
    const reading = (await this.ports.artifacts.get(tenantId, [summaryRef])).get(summaryRef);
    if (!reading || isErased(reading)) return undefined;
    return { summaryRef, tokens: tokensAfter, sequence: recorded.event.sequence };
  }
}

function assertActive({ runId, status, origin }: RunHeader): void {
  if (isTerminalStatus(status)) throw new RunNotActiveError(runId, status);
  if (origin?.mode === 'replay') throw new RunNotActiveError(runId, 'a replay');
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

function windowContext({ runId }: PlanWindowRequest, { header, state, last }: Moment): WindowContext {
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
