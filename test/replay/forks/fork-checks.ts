import {
  CONTEXT_SUMMARIZED,
  EXTERNAL_WORKFLOW,
  isTerminalStatus,
  type RecordedEvent,
  type RunHeader,
  type WindowPlan,
} from '@palimpsest/contracts';
import { countTokens } from '@palimpsest/tokens';
import { fedWindow, readWindow, windowPlaces, type FedWindow } from './fed-windows.js';
import { TENANT, type MemoryHost } from '../memory-host.js';
import { loopWindow } from './model-loop-run.js';
import { planWindow, say } from './own-loop-run.js';

/** A run as it stands, with all its windows as they were fed. */
export type RecordedRun = {
  readonly header: RunHeader;
  readonly events: readonly RecordedEvent[];
  readonly windows: readonly FedWindow[];
};

export async function recordedRun(host: MemoryHost, runId: string): Promise<RecordedRun> {
  const header = await host.log.header(TENANT, runId);
  if (!header) throw new TypeError(`There is no run ${runId}.`);
  const events = await host.events(runId);
  const windows: FedWindow[] = [];
  for (const iteration of windowPlaces(events).keys()) windows.push(await readWindow(host, runId, iteration));
  return { header, events, windows };
}

/** The greatest places at which a run can be forked. */
export function greatestForkPoint(
  { header: { head, status } }: RecordedRun,
  mode: 'replay' | 'branch',
): number {
  return mode === 'branch' && !isTerminalStatus(status) ? head + 1 : head;
}

/** A verification derives all windows of fork and source again, which is most of the work here: each so many places has one. */
const VERIFIED_EACH = 4;

export type Forked = { readonly source: RecordedRun; readonly forkRunId: string; readonly fromSeq: number };

/** All that a replay must have of its source; nobody is asked for a summary meanwhile. */
export async function replayed(
  host: MemoryHost,
  { source, forkRunId, fromSeq }: Forked,
): Promise<RecordedRun> {
  const { runId } = source.header;
  const fork = await host.withoutSummarizer(async () => {
    await host.forks.fork({ tenantId: TENANT, runId, forkRunId, mode: 'replay', fromSeq });
    const made = await recordedRun(host, forkRunId);
    if (fromSeq % VERIFIED_EACH === 0) await verified(host, { source, forkRunId, fromSeq });
    return made;
  });
  expect(fork.header).toMatchObject({ status: source.header.status, head: source.header.head });
  expect(fork.header.origin).toEqual({ runId, fromSequence: fromSeq, mode: 'replay' });
  expect(fork.events.map(factsOf)).toEqual(source.events.map(factsOf));
  expect(fork.events.filter((event) => event.runId !== forkRunId)).toEqual([]);
  expect(fork.windows).toEqual(source.windows);
  return fork;
}

async function verified(host: MemoryHost, { source, forkRunId: runId, fromSeq }: Forked): Promise<void> {
  const verification = await host.forks.verify({ tenantId: TENANT, runId });
  expect(verification).toMatchObject({ ok: true, summarizerCalls: 0 });
  expect(verification.windowsChecked).toBe(source.windows.length);
  expect(verification.comparedWith).toMatchObject({
    sharedEvents: fromSeq,
    events: source.events.length - fromSeq,
    windows: source.windows.filter(({ sequence }) => sequence >= fromSeq).length,
  });
}

/** What a branch must have of its source, and what it must not know; then it goes on, with a window of its own. */
export async function branched(host: MemoryHost, forked: Forked): Promise<RecordedRun> {
  const { source, forkRunId, fromSeq } = forked;
  const { runId } = source.header;
  const shared = fromSeq === 0 ? 1 : fromSeq;
  const fork = await host.withoutSummarizer(async () => {
    await host.forks.fork({ tenantId: TENANT, runId, forkRunId, mode: 'branch', fromSeq });
    return recordedRun(host, forkRunId);
  });
  expect(fork.header.head).toBe(shared - 1);
  expect(isTerminalStatus(fork.header.status)).toBe(false);
  expect(fork.events.map(factsOf)).toEqual(source.events.slice(0, shared).map(factsOf));
  expect(fork.windows).toEqual(source.windows.filter(({ sequence }) => sequence < shared));
  const iteration = fork.windows.length + 1;
  await expect(readWindow(host, forkRunId, iteration)).rejects.toMatchObject({ code: 'not_found' });
  await goesOn(host, fork);
  expect(await host.events(runId)).toEqual(source.events);
  return recordedRun(host, forkRunId);
}

async function goesOn(host: MemoryHost, fork: RecordedRun): Promise<void> {
  const { runId } = fork.header;
  const next = await fedWindow(host, runId, await nextWindow(host, fork));
  const { context } = fork.header.state as unknown as { readonly context: Budget };
  expect(faultsOf(next, await host.events(runId), context)).toEqual([]);
  const verification = await host.withoutSummarizer(() => host.forks.verify({ tenantId: TENANT, runId }));
  expect(verification).toMatchObject({ ok: true, windowsChecked: next.window.iteration });
}

/** Of an own loop after one more message. */
async function nextWindow(host: MemoryHost, { header, windows }: RecordedRun): Promise<WindowPlan> {
  const { runId, workflowId } = header;
  if (workflowId !== EXTERNAL_WORKFLOW) return loopWindow(host, runId, windows.length + 1);
  const content = { role: 'user' as const, text: 'And now something else: ticket TCK-4711 in /var/other.' };
  await say(host, runId, { content, origin: `${runId}/on` });
  return planWindow(host, runId);
}

type Budget = {
  readonly transcriptTokenBudget: number;
  readonly tokenCounter: FedWindow['window']['tokenCounter'];
};

/** What is wrong with a window, from its texts and the run's own log. */
function faultsOf(window: FedWindow, events: readonly RecordedEvent[], context: Budget): readonly string[] {
  const { transcriptTokenBudget: budget, tokenCounter } = context;
  const sum = window.entries.reduce((total, { rendered }) => total + countTokens(rendered, tokenCounter), 0);
  const strange = window.summarized.filter(({ at, summaryRef }) => {
    const event = events[at];
    return event?.type !== CONTEXT_SUMMARIZED || event.payload['summaryRef'] !== summaryRef;
  });
  return [
    ...(window.window.tokenCount > budget ? ['is over its budget'] : []),
    ...(sum !== window.window.tokenCount ? [`counts ${sum}, not ${window.window.tokenCount}`] : []),
    ...(window.entries.some(({ place }) => place < 0) ? ['feeds an event of another run'] : []),
    ...strange.map(({ at }) => `feeds a summary at ${at} that its run does not have`),
    ...faultsOfMessages(window.messages),
  ];
}

/** Each result follows the message that called for it, each call has exactly one. */
function faultsOfMessages(messages: FedWindow['messages']): readonly string[] {
  const faults: string[] = [];
  let open: readonly string[] = [];
  for (const [place, message] of messages.entries()) {
    if (message.role === 'tool') {
      const answered = message.tool_call_id ?? '';
      if (!open.includes(answered)) faults.push(`message ${place} answers no open call`);
      open = open.filter((id) => id !== answered);
    } else {
      if (open.length > 0) faults.push(`message ${place} comes before ${open.length} results`);
      open = (message.tool_calls ?? []).map(({ id }) => id);
    }
  }
  return open.length > 0 ? [...faults, `${open.length} calls are not answered`] : faults;
}

/** All of an event but clock and identity; its cause is the place that it names. */
export function factsOf(event: RecordedEvent): object {
  const { sequence, type, nodeId, payload, schemaVersion, counts, causationId, runId } = event;
  return { sequence, type, nodeId, payload, schemaVersion, counts, cause: causationId?.replace(runId, '') };
}
