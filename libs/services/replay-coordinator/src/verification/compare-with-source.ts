import {
  CONTEXT_SUMMARIZED,
  WINDOW_PLANNED,
  type ContextSummarized,
  type ForkOrigin,
  type OwnLoopState,
  type RecordedEvent,
  type RunHeader,
  type Verification,
} from '@palimpsest/contracts';
import { canonicalJson, isErased } from '@palimpsest/kernel';
import { readEvents } from '../read-events.js';
import type { ReplayPorts } from '../replay-ports.js';

export type VerifyPorts = Pick<ReplayPorts, 'eventLog' | 'artifacts' | 'assembler' | 'calls'>;

export type ForkHeader = RunHeader & { readonly origin: ForkOrigin };

export type Comparison = {
  readonly comparedWith: NonNullable<Verification['comparedWith']>;
  readonly firstDifference?: NonNullable<Verification['firstDifference']>;
};

type Difference = NonNullable<Comparison['firstDifference']>;
type Counts = { windows: number; summaries: number };

/**
 * Compares what a fork recorded with its source, up to where it must be equal: a replay all that it
 * re-emitted, a branch its prefix. Windows and summaries agree in place and payload, so they name the same
 * artifacts; those must be readable through the fork. Where neither has gone on since, the two digests of everything
 * fed are compared as well.
 */
export async function compareWithSource(
  ports: VerifyPorts,
  fork: ForkHeader,
  own: Verification,
): Promise<Comparison> {
  const counts: Counts = { windows: 0, summaries: 0 };
  const last = lastSharedOf(fork);
  const firstDifference =
    incompleteness(fork, last) ??
    (await firstUnequalEvent(ports, { fork, last, counts })) ??
    (await unequalDigest(ports, { fork, last, own }));
  const comparedWith = { runId: fork.origin.runId, ...counts };
  return firstDifference ? { comparedWith, firstDifference } : { comparedWith };
}

function lastSharedOf(fork: ForkHeader): number {
  const { replayTarget } = fork.state as unknown as OwnLoopState;
  return replayTarget ?? fork.origin.fromSequence - 1;
}

function incompleteness(fork: ForkHeader, last: number): Difference | undefined {
  return fork.head < last ? { sequence: fork.head + 1, what: 'the replay is not complete yet' } : undefined;
}

async function firstUnequalEvent(
  ports: VerifyPorts,
  at: { readonly fork: ForkHeader; readonly last: number; readonly counts: Counts },
): Promise<Difference | undefined> {
  const { fork, last, counts } = at;
  const range = { tenantId: fork.tenantId, from: 0, to: last, types: [CONTEXT_SUMMARIZED, WINDOW_PLANNED] };
  const forked = readEvents(ports.eventLog, { ...range, runId: fork.runId });
  for await (const recorded of readEvents(ports.eventLog, { ...range, runId: fork.origin.runId })) {
    const replayed = await forked.next();
    const what = unequalPart(recorded, replayed.done ? undefined : replayed.value);
    if (what) return differenceAt(recorded, what);
    if (!(await readableThrough(ports, fork, recorded))) return differenceAt(recorded, 'unreadable artifact');
    counts[recorded.type === WINDOW_PLANNED ? 'windows' : 'summaries'] += 1;
  }
  const surplus = await forked.next();
  return surplus.done ? undefined : differenceAt(surplus.value, 'an event that the source does not have');
}

function unequalPart(recorded: RecordedEvent, replayed: RecordedEvent | undefined): string | undefined {
  if (replayed?.sequence !== recorded.sequence || replayed.type !== recorded.type)
    return 'an event of the source is missing';
  const equal = canonicalJson(recorded.payload) === canonicalJson(replayed.payload);
  if (equal) return undefined;
  return recorded.type === WINDOW_PLANNED ? 'window' : 'summary';
}

function differenceAt(event: RecordedEvent, what: string): Difference {
  // Of an altered event it may be anything.
  const { iteration } = event.payload;
  const known = typeof iteration === 'number' && Number.isInteger(iteration) && iteration > 0;
  return { ...(known && { iteration }), sequence: event.sequence, what };
}

async function readableThrough(ports: VerifyPorts, fork: ForkHeader, event: RecordedEvent): Promise<boolean> {
  if (event.type !== CONTEXT_SUMMARIZED) return true;
  const { summaryRef } = event.payload as unknown as ContextSummarized;
  const reading = await ports.artifacts.getForRun(fork.tenantId, fork.runId, summaryRef);
  return reading !== undefined && !isErased(reading);
}

async function unequalDigest(
  ports: VerifyPorts,
  at: { readonly fork: ForkHeader; readonly last: number; readonly own: Verification },
): Promise<Difference | undefined> {
  const { tenantId, origin } = at.fork;
  if (origin.mode !== 'replay' || at.own.windowsChecked === 0) return undefined;
  const source = await ports.eventLog.header(tenantId, origin.runId);
  // Where either has gone on, it has windows that the other has not.
  if (source?.head !== at.last || at.fork.head !== at.last) return undefined;
  const { windowsDigest } = await ports.assembler.verify({ tenantId, runId: origin.runId });
  return windowsDigest === at.own.windowsDigest ? undefined : { what: 'the text of the windows' };
}
