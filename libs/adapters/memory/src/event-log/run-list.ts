import { placeOfRunListCursor, runListCursor, type ListRunsRequest, type RunList } from '@palimpsest/kernel';
import { headerOf, type StoredRun } from './stored-run.js';

/** Most headers of one page. */
const MAX_LISTED = 500;

export function listOf(runs: Iterable<StoredRun>, request: ListRunsRequest): RunList {
  const { tenantId, status, workflowId, cursor, limit } = request;
  const after = cursor === undefined ? undefined : placeOfRunListCursor(cursor);
  const listed = [...runs]
    .filter((run) => run.tenantId === tenantId)
    .filter((run) => status === undefined || run.status === status)
    .filter((run) => workflowId === undefined || run.workflowId === workflowId)
    .filter((run) => !after || newestFirst(after, run) < 0)
    .sort(newestFirst);
  const page = listed.slice(0, Math.min(limit, MAX_LISTED));
  const last = page.at(-1);
  return {
    runs: page.map(headerOf),
    ...(last && page.length < listed.length && { nextCursor: runListCursor(last) }),
  };
}

type Listed = { readonly createdAt: Date; readonly runId: string };

function newestFirst(left: Listed, right: Listed): number {
  const byTime = right.createdAt.getTime() - left.createdAt.getTime();
  if (byTime !== 0) return byTime;
  return left.runId < right.runId ? 1 : left.runId > right.runId ? -1 : 0;
}
