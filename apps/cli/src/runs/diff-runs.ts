import type { DiffPage, RunDiff } from '../client/palimpsest-api.js';
import type { Output } from '../output/output.js';
import { tableLines } from '../output/table.js';
import { EXIT, type ExitCode } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';
import { DIFF_COLUMNS, headLines, tokenLines, windowRow } from './diff-lines.js';

export type DiffOptions = CommonOptions & { readonly from?: number; readonly limit?: number };

/** Rows of a table where nobody asks for more. */
const ROWS = 20;

/** `palimpsest diff <run> <other>` */
export async function diffRuns(
  { runId, otherRunId }: { readonly runId: string; readonly otherRunId: string },
  options: DiffOptions,
  session: Session,
): Promise<ExitCode> {
  const api = await session.api(options);
  const ask: Ask = (page) => api.diff(runId, otherRunId, page);
  const diff = await (options.json ? ask(pageOf(options)) : fromDivergence(ask, options));
  if (options.json) session.output.json(diff);
  else show(diff, session.output);
  return diff.identical ? EXIT.done : EXIT.negative;
}

type Ask = (page: DiffPage) => Promise<RunDiff>;

function pageOf({ from, limit }: DiffOptions): DiffPage {
  return { ...(from !== undefined && { fromIteration: from }), ...(limit !== undefined && { limit }) };
}

/** Windows before the divergence are the same: unless told otherwise, the table begins where there is something to see. */
async function fromDivergence(ask: Ask, options: DiffOptions): Promise<RunDiff> {
  const page = { limit: ROWS, ...pageOf(options) };
  const diff = await ask(page);
  const { iteration = 1 } = diff.firstDivergence ?? {};
  return options.from === undefined && iteration > 1 ? ask({ ...page, fromIteration: iteration }) : diff;
}

function show(diff: RunDiff, output: Output): void {
  const { windows, nextIteration } = diff;
  const first = windows[0]?.iteration ?? 1;
  output.lines(headLines(diff, output.colours));
  output.line();
  if (windows.length > 0) {
    output.lines(tableLines(DIFF_COLUMNS, windows.map(windowRow), output.width));
    if (first > 1) output.line(`windows before ${first} are not listed: --from 1`);
    if (nextIteration !== undefined)
      output.line(`… from window ${nextIteration} on not listed: --from ${nextIteration}`);
    output.line();
  }
  output.lines(tokenLines(diff));
}
