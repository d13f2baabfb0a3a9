import { EXTERNAL_WORKFLOW, isTerminalStatus, type RunStatus } from '@palimpsest/contracts';
import {
  placeOfRunListCursor,
  runListCursor,
  type ListRunsRequest,
  type RunList,
  type UnfinishedRun,
  type UnfinishedRunsRequest,
} from '@palimpsest/kernel';
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

const UNFINISHED: readonly RunStatus[] = ['pending', 'running', 'cancelling'];

export function unfinishedOf(
  runs: Iterable<StoredRun>,
  { updatedBefore, limit, after }: UnfinishedRunsRequest,
): readonly UnfinishedRun[] {
  return [...runs]
    .filter(({ workflowId }) => workflowId !== EXTERNAL_WORKFLOW)
    .filter((run) => UNFINISHED.includes(run.status) || hasRunningClock(run))
    .filter((run) => !isRepeating(run) && run.updatedAt < updatedBefore)
    .filter((run) => !after || byTenantAndRun(after, run) < 0)
    .sort(byTenantAndRun)
    .slice(0, limit)
    .map(({ tenantId, runId, events }) => ({ tenantId, runId, head: events.length - 1 }));
}

/** A replay that has yet to repeat is its coordinator's. */
function isRepeating({ origin, events, stateJson }: StoredRun): boolean {
  const { replayTarget = 0 } = JSON.parse(stateJson) as { readonly replayTarget?: number };
  return origin?.mode === 'replay' && events.length - 1 < replayTarget;
}

/** It waits for an answer, and another branch of it goes on. */
function hasRunningClock({ status, stateJson }: StoredRun): boolean {
  return !isTerminalStatus(status) && 'activeSince' in (JSON.parse(stateJson) as object);
}

type RunKey = { readonly tenantId: string; readonly runId: string };

function byTenantAndRun(left: RunKey, right: RunKey): number {
  if (left.tenantId !== right.tenantId) return left.tenantId < right.tenantId ? -1 : 1;
  if (left.runId === right.runId) return 0;
  return left.runId < right.runId ? -1 : 1;
}
