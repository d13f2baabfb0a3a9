import { nodeContentHash } from '@palimpsest/adapter-postgres';
import {
  CONTEXT_SUMMARIZED,
  WINDOW_PLANNED,
  type ForkOrigin,
  type RecordedEvent,
  type RunHeader,
  type Verification,
} from '@palimpsest/contracts';
import { causeInFork, contentHashOf, readEvents } from '@palimpsest/kernel';
import type { ReplayPorts } from '../replay-ports.js';

export type VerifyPorts = Pick<ReplayPorts, 'eventLog' | 'artifacts' | 'assembler' | 'calls'>;

export type ForkHeader = RunHeader & { readonly origin: ForkOrigin };

export type Comparison = {
  readonly comparedWith: NonNullable<Verification['comparedWith']>;
  readonly firstDifference?: NonNullable<Verification['firstDifference']>;
};

type Difference = NonNullable<Comparison['firstDifference']>;
type Counts = { events: number; windows: number; summaries: number };
/** `last`: sequence of the last event that the fork is to have from its source, shared or repeated. */
type At = { readonly fork: ForkHeader; readonly last: number };

/**
 * Compares with its source what a replay recorded for itself: every event that it repeated, of any type. What a fork shares
 * is its source's own rows, so of that, and of a branch, there is nothing to compare. Where neither has gone on since, the
 * two digests of everything fed are compared as well. Holds a page of each log.
 */
export async function compareWithSource(
  ports: VerifyPorts,
  fork: ForkHeader,
  own: Verification,
): Promise<Comparison> {
  const { runId, fromSequence: sharedEvents, mode } = fork.origin;
  const counts: Counts = { events: 0, windows: 0, summaries: 0 };
  const at = { fork, last: lastOfSource(fork) };
  const firstDifference =
    incompleteness(at) ??
    (mode === 'replay'
      ? ((await firstUnequalEvent(ports, at, counts)) ?? (await unequalDigest(ports, at, own)))
      : undefined);
  const comparedWith = { runId, sharedEvents, ...counts };
  return firstDifference ? { comparedWith, firstDifference } : { comparedWith };
}

function lastOfSource({ state, origin }: ForkHeader): number {
  const { replayTarget } = state as { readonly replayTarget?: number };
  return replayTarget ?? origin.fromSequence - 1;
}

function incompleteness({ fork, last }: At): Difference | undefined {
  const what = `the ${fork.origin.mode} is not complete yet`;
  return fork.head < last ? { sequence: fork.head + 1, what } : undefined;
}

async function firstUnequalEvent(
  { eventLog }: VerifyPorts,
  { fork, last: to }: At,
  counts: Counts,
): Promise<Difference | undefined> {
  const { tenantId, runId, origin } = fork;
  const range = { tenantId, from: origin.fromSequence, to };
  const repeated = readEvents(eventLog, { ...range, runId });
  for await (const recorded of readEvents(eventLog, { ...range, runId: origin.runId })) {
    const next = await repeated.next();
    const what = unequalPart(recorded, next.done ? undefined : next.value);
    if (what) return differenceAt(recorded, what);
    counts.events += 1;
    if (recorded.type === WINDOW_PLANNED) counts.windows += 1;
    if (recorded.type === CONTEXT_SUMMARIZED) counts.summaries += 1;
  }
  const surplus = await repeated.next();
  return surplus.done ? undefined : differenceAt(surplus.value, 'an event that the source does not have');
}

/** The parts that a replay keeps. Hashes are made anew: of older logs there are none, and stored ones may have been altered. */
function unequalPart(recorded: RecordedEvent, repeated: RecordedEvent | undefined): string | undefined {
  if (repeated?.sequence !== recorded.sequence) return 'an event of the source is missing';
  if (repeated.type !== recorded.type) return 'it is of another type than the source’s';
  if (repeated.nodeId !== recorded.nodeId) return 'it is of another node than the source’s';
  if (repeated.schemaVersion !== recorded.schemaVersion) return 'it is of another version than the source’s';
  if (contentHashOf(nodeContentHash, repeated) !== contentHashOf(nodeContentHash, recorded))
    return 'it says something else than the source’s';
  const { causationId, runId } = recorded;
  const cause = causationId === undefined ? undefined : causeInFork(causationId, runId, repeated.runId);
  return repeated.causationId === cause ? undefined : 'it has another cause than the source’s';
}

function differenceAt({ type, payload, sequence }: RecordedEvent, what: string): Difference {
  // Of an altered event it may be anything.
  const iteration = type === WINDOW_PLANNED || type === CONTEXT_SUMMARIZED ? payload['iteration'] : undefined;
  const known = typeof iteration === 'number' && Number.isInteger(iteration) && iteration > 0;
  return { ...(known && { iteration }), sequence, what };
}

async function unequalDigest(
  ports: VerifyPorts,
  at: At,
  { windowsChecked, windowsDigest }: Verification,
): Promise<Difference | undefined> {
  if (windowsChecked === 0 || !(await bothEndThere(ports, at))) return undefined;
  const { tenantId, origin } = at.fork;
  const source = await ports.assembler.verify({ tenantId, runId: origin.runId });
  if (source.windowsDigest === windowsDigest) return undefined;
  // Either digest is as of its own head: a run that has gone on meanwhile has windows that the other has not.
  return (await bothEndThere(ports, at)) ? { what: 'the text of the windows' } : undefined;
}

async function bothEndThere({ eventLog }: VerifyPorts, { fork, last }: At): Promise<boolean> {
  const runIds = [fork.runId, fork.origin.runId];
  const headers = await Promise.all(runIds.map((runId) => eventLog.header(fork.tenantId, runId)));
  return headers.every((header) => header?.head === last);
}
