import { LOG_PAGE_EVENTS, type RecordedEvent } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import {
  closingPage,
  refusedPage,
  repeatedPage,
  type PageAt,
  type ReplayPage,
} from '../domain/replay-page.js';
import { PAGE_READ } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
import type { Findings } from './findings.js';
import { targetIn, writtenOrOvertaken, type ForkPlace } from './fork-place.js';

/**
 * A page of the source's events, which is read: for what they add up to, and for what the replay finds that its source did
 * not record. Where nothing of it changes, the log re-emits it by itself.
 */
export async function reEmitPage(
  ports: ReplayPorts,
  job: ForkJob,
  { findings, ...place }: ForkPlace & { readonly findings: Findings },
): Promise<ForkPlace> {
  const read = await sourcePage(ports, job, place.next);
  if (read.length === 0)
    throw new TerminalError('internal_error', 'The source of a replay is shorter than it was.');
  const makePage = await pageMaker(read, { findings, place, target: targetIn(place, job) });
  await ports.races.reach(PAGE_READ);
  const at = ports.clock.now();
  const page = makePage({ ...place, forkRunId: job.forkRunId, timestamp: at.toISOString() });
  const write = async (): Promise<ForkPlace> => {
    const isCopied = page.isCopy && (await reEmitted(ports, job, { ...page, place, at }));
    if (!isCopied) await appended(ports, job, { ...page, place, at });
    return { ...place, next: place.next + page.events.length, state: page.header.state };
  };
  return writtenOrOvertaken(ports, job, { place, write });
}

type Finding = { readonly findings: Findings; readonly place: ForkPlace; readonly target: number };

/** What is found at the end comes with the last event alone: the page ends before that, and the next one is it. */
async function pageMaker(
  read: readonly RecordedEvent[],
  { findings, place, target }: Finding,
): Promise<(at: PageAt) => ReplayPage> {
  if (place.kind === 'own-loop') return (at) => repeatedPage(read, at);
  const refusal = await findings.refusal(read);
  if (refusal) return (at) => refusedPage(read, refusal, at);
  const last = read.at(-1);
  const found = last?.sequence === target ? await findings.outputs() : [];
  if (!last || found.length === 0) return (at) => repeatedPage(read, at);
  if (read.length > 1) return (at) => repeatedPage(read.slice(0, -1), at);
  return (at) => closingPage(last, found, at);
}

type Written = ReplayPage & { readonly place: ForkPlace; readonly at: Date };

function reEmitted(
  ports: ReplayPorts,
  job: ForkJob,
  { events, header, place, at }: Written,
): Promise<boolean> {
  const { tenantId, forkRunId: runId, sourceRunId: fromRunId } = job;
  const range = { fromSequence: place.next, toSequence: place.next + events.length - 1 };
  return ports.eventLog.reEmit({ tenantId, runId, fromRunId, ...range, at, header });
}

async function appended(
  ports: ReplayPorts,
  job: ForkJob,
  { events, header, place, at }: Written,
): Promise<void> {
  const { tenantId, forkRunId: runId } = job;
  await ports.eventLog.append({ tenantId, runId, expectedHead: place.next - 1, events, at, header });
}

async function sourcePage(ports: ReplayPorts, job: ForkJob, from: number): Promise<readonly RecordedEvent[]> {
  const target = job.target ?? -1;
  const page = await ports.eventLog.readRun({
    tenantId: job.tenantId,
    runId: job.sourceRunId,
    fromSequence: from,
    limit: Math.min(LOG_PAGE_EVENTS, target - from + 1),
  });
  return page.events;
}
