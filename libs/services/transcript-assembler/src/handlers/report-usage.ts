import { usageQuerySchema, type Usage, type UsageRow, type WindowPlanned } from '@palimpsest/contracts';
import { NotFoundError, parseRequest, type EventLog } from '@palimpsest/kernel';
import { newestOfIterations } from '@palimpsest/transcript';
import { RunHistory } from '../history/run-history.js';

const MOST_ROWS = 500;

/** Tokens fed against tokens an unbounded loop would have sent, by iteration and in total. */
export class ReportUsage {
  constructor(private readonly log: EventLog) {}

  async handle(body: unknown): Promise<Usage> {
    const { tenantId, runId, fromIteration = 1, limit = MOST_ROWS } = parseRequest(usageQuerySchema, body);
    const header = await this.log.header(tenantId, runId);
    if (!header) throw new NotFoundError('The run', { runId });
    const history = new RunHistory(this.log, { tenantId, runId });
    const last = await history.lastWindow(header.head);
    const first = last && (await history.windowOf(fromIteration, header.head));
    const rows: UsageRow[] = [];
    let nextIteration: number | undefined;
    if (first) {
      let before =
        fromIteration > 1 ? (await history.windowOf(fromIteration - 1, header.head))?.window : undefined;
      const windows = history.windows({ from: first.event.sequence, to: header.head });
      for await (const { window } of newestOfIterations(windows)) {
        if (rows.length === limit) {
          nextIteration = window.iteration;
          break;
        }
        rows.push(usageRow(window, before));
        before = window;
      }
    }
    return { iterations: rows, total: totalsOf(last?.window), ...(nextIteration && { nextIteration }) };
  }
}

function usageRow(window: WindowPlanned, before: WindowPlanned | undefined): UsageRow {
  return {
    iteration: window.iteration,
    messages: window.messageCount,
    fedTokens: window.tokenCount,
    unboundedTokens: window.unboundedTokenCount,
    notResentTokens: Math.max(0, window.unboundedTokenCount - window.tokenCount),
    summaries: window.totals.summaries - (before?.totals.summaries ?? 0),
  };
}

function totalsOf(window: WindowPlanned | undefined): Usage['total'] {
  const { fedTokens, unboundedTokens, summaries } = window?.totals ?? {
    fedTokens: 0,
    unboundedTokens: 0,
    summaries: 0,
  };
  return { fedTokens, unboundedTokens, notResentTokens: Math.max(0, unboundedTokens - fedTokens), summaries };
}
