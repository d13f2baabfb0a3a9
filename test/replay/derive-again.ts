import {
  CONTEXT_SUMMARIZED,
  eventIdOf,
  foldOwnLoop,
  isTerminalEventType,
  ownLoopStatusAfter,
  placeOfEventId,
  startedOwnLoop,
  WINDOW_PLANNED,
  WORKER_RETURNED,
  type JsonObject,
  type OwnLoopState,
  type RecordedEvent,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { runStatusOf } from '@palimpsest/workflow';
import { folded } from './engine-again.js';
import { isOwnLoop, messageOf, readHistory, runIdOf, type History } from './history.js';
import { TENANT, type HeaderAfter, type MemoryHost } from './memory-host.js';

/** The assembler appends these itself. */
const ITS_OWN: readonly string[] = [WINDOW_PLANNED, CONTEXT_SUMMARIZED];

/**
 * Has a host record a history once more: what was said is given to it, every window and summary is its own. A fork is forked
 * from its source, which is derived first.
 */
export async function deriveAgain(host: MemoryHost, history: History): Promise<void> {
  const runId = runIdOf(history);
  const fork = isOwnLoop(history) ? history.fork : undefined;
  if (!fork) return feed(host, history, { runId, events: history.events });
  const source = readHistory(fork.of);
  await deriveAgain(host, source);
  const { mode, fromSequence: fromSeq } = fork;
  await host.fork({ runId: runIdOf(source), forkRunId: runId, mode, fromSeq });
  if (mode === 'branch') await feed(host, history, { runId, events: history.events });
}

/** Gives recorded events of a history to a run that has got as far as the first of them. */
export async function feed(
  host: MemoryHost,
  history: History,
  { runId, events }: { readonly runId: string; readonly events: readonly RecordedEvent[] },
): Promise<void> {
  for (const event of events) {
    if (event.type === WINDOW_PLANNED) await plan(host, runId, event);
    else if (!ITS_OWN.includes(event.type))
      await host.append(runId, await withContent(host, history, inRun(event, runId)), headerAfter(history));
  }
}

async function plan(host: MemoryHost, runId: string, { payload, nodeId }: RecordedEvent): Promise<void> {
  const { asOfSequence, iteration } = payload;
  await host.plan(runId, { asOfSequence, ...(nodeId !== undefined && { turn: { iteration, nodeId } }) });
}

/** Causes are events of the run itself. */
function inRun(event: RecordedEvent, runId: string): RecordedEvent {
  const cause = placeOfEventId(event.causationId ?? '');
  return { ...event, runId, ...(cause && { causationId: eventIdOf(runId, cause.sequence) }) };
}

/** Content is stored before the log refers to it. */
async function withContent(host: MemoryHost, history: History, event: RecordedEvent): Promise<RecordedEvent> {
  const { type, runId, payload } = event;
  const content = isOwnLoop(history) || type === WORKER_RETURNED ? messageOf(history, event) : undefined;
  if (!content) return event;
  const origin = isOwnLoop(history)
    ? `message:${payload['artifactId'] as string}`
    : `returned:${runId}:${payload['childRunId'] as string}`;
  const [artifactId = ''] = await host.artifacts.put(TENANT, runId, [{ type: 'message', origin, content }]);
  return { ...event, payload: { ...payload, artifactId } };
}

function headerAfter(history: History): HeaderAfter {
  return isOwnLoop(history) ? ownLoopHeader : workflowHeader;
}

const ownLoopHeader: HeaderAfter = (header, event) => {
  if (isTerminalEventType(event.type)) return { status: ownLoopStatusAfter(event.type) };
  const state = header
    ? foldOwnLoop(header.state as unknown as OwnLoopState, event)
    : startedOwnLoop(event.payload);
  return { status: 'running', state: state as unknown as JsonObject };
};

const workflowHeader: HeaderAfter = (header, event) => {
  const state = folded(header?.state as WorkflowRunState | undefined, [event]);
  return { status: runStatusOf(state), state: state as unknown as JsonObject };
};
