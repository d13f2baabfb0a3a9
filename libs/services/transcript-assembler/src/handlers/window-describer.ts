import { eventIdOf, type WindowPlan } from '@palimpsest/contracts';
import { NotFoundError, type EventLog } from '@palimpsest/kernel';
import { livePlaces } from '../domain/carried-over.js';
import { windowEntries, type FedSummary } from '../domain/describe-window.js';
import { RunHistory, type RecordedSummary, type RecordedWindow } from '../history/run-history.js';

export type RunKey = { readonly tenantId: string; readonly runId: string };

/** A recorded window as it travels: entries, instructions and ranges, read back from the log. */
export async function describeWindow(
  log: EventLog,
  run: RunKey,
  recorded: RecordedWindow,
): Promise<WindowPlan> {
  const history = new RunHistory(log, run);
  const { window } = recorded;
  const [rows, instructions, summaries] = await Promise.all([
    history.rows(livePlaces(window), window.asOfSequence, window.tokenCounter),
    history.instructions(window.asOfSequence),
    Promise.all(window.summarySequences.map((sequence) => recordedSummary(history, sequence))),
  ]);
  return {
    eventId: eventIdOf(run.runId, recorded.event.sequence),
    window,
    entries: windowEntries({ runId: run.runId, window, rows, summaries: summaries.map(fedSummary) }),
    instructions: instructions.map(({ event, artifactId }) => ({
      eventId: event.eventId,
      sequence: event.sequence,
      artifactId,
    })),
    summarizedRanges: summaries.map(({ event, summary }) => ({
      summaryRef: summary.summaryRef,
      replacedTurns: summary.replacedTurns,
      eventId: event.eventId,
    })),
  };
}

async function recordedSummary(history: RunHistory, sequence: number): Promise<RecordedSummary> {
  const found = await history.summaryAt(sequence);
  if (!found) throw new NotFoundError('A summary that the window names', { sequence });
  return found;
}

function fedSummary({ event, summary }: RecordedSummary): FedSummary {
  return { sequence: event.sequence, summaryRef: summary.summaryRef, tokens: summary.tokensAfter };
}
