import { eventIdOf, type InstructionEntry, type WindowPlan } from '@palimpsest/contracts';
import { NotFoundError, type EventLog } from '@palimpsest/kernel';
import { livePlaces } from '../domain/carried-over.js';
import { fedSummary, windowEntries } from '../domain/describe-window.js';
import type { KnownRun, StandingSummary, StandingWindow } from '../domain/known-run.js';
import type { TranscriptRow } from '../domain/turn.js';
import {
  instructionEntry,
  RunHistory,
  standingSummary,
  type RecordedWindow,
} from '../history/run-history.js';

export type RunKey = { readonly tenantId: string; readonly runId: string };

type Description = {
  readonly last: StandingWindow;
  readonly rows: readonly TranscriptRow[];
  readonly summaries: readonly StandingSummary[];
  readonly instructions: readonly InstructionEntry[];
};

/** A recorded window as it travels: entries, instructions and ranges, read back from the log. */
export async function describeWindow(
  log: EventLog,
  run: RunKey,
  { event, window }: RecordedWindow,
): Promise<WindowPlan> {
  const history = new RunHistory(log, run);
  const [rows, instructions, summaries] = await Promise.all([
    history.rows(
      livePlaces(window),
      { to: window.asOfSequence, namedUpTo: event.sequence },
      window.tokenCounter,
    ),
    history.instructions(window.asOfSequence),
    Promise.all(window.summarySequences.map((sequence) => history.summaryAt(sequence))),
  ]);
  return windowPlan(run.runId, {
    last: { sequence: event.sequence, window },
    rows,
    summaries: summaries.filter((summary) => summary !== undefined).map(standingSummary),
    instructions: instructions.map(instructionEntry),
  });
}

/** The run's last window, as {@link describeWindow} reads it back. */
export function describeLastWindow(runId: string, last: StandingWindow, known: KnownRun): WindowPlan {
  const { asOfSequence } = last.window;
  return windowPlan(runId, {
    last,
    rows: known.rows,
    summaries: known.summaries,
    instructions: known.instructions.filter(({ sequence }) => sequence <= asOfSequence),
  });
}

function windowPlan(runId: string, { last, rows, summaries, instructions }: Description): WindowPlan {
  const { sequence, window } = last;
  const fed = window.summarySequences.map((place) => {
    const summary = summaries.find((one) => one.sequence === place);
    if (!summary) throw new NotFoundError('A summary that the window names', { sequence: place });
    return summary;
  });
  return {
    eventId: eventIdOf(runId, sequence),
    window,
    entries: windowEntries({ runId, window, rows, summaries: fed.map((one) => fedSummary(window, one)) }),
    instructions: [...instructions],
    summarizedRanges: fed.map(({ sequence: place, summary }) => ({
      summaryRef: summary.summaryRef,
      replacedTurns: summary.replacedTurns,
      eventId: eventIdOf(runId, place),
    })),
  };
}
