import { ContextRefusal, type EfficiencyEvent } from '@palimpsest/context-efficiency';
import {
  CONTEXT_SUMMARIZED,
  contextSettingsSchema,
  contextSummarizedSchema,
  isTerminalEventType,
  NODE_RESUMED,
  NODE_SUSPENDED,
  PROVIDER_USAGE,
  providerUsageSchema,
  RUN_COMPLETED,
  WINDOW_PLANNED,
  type ContextSettings,
  type RecordedEvent,
  type RunHeader,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { ContextRefusedError, NotFoundError, parseRequest, type EventLog } from '@palimpsest/kernel';
import {
  budgetTransition,
  elapsedOf,
  workerCompleted,
  workerUsage,
  type ToldEvent,
} from '../domain/telemetry/own-run-events.js';
import type { ToldNotice } from './told-notice.js';

type Log = Pick<EventLog, 'header' | 'readRun'>;

/** Whether the log need be asked at all. Windows are not told of one by one: a run plans one for each turn. */
export function isToldOf({ type }: Pick<ToldNotice, 'type'>): boolean {
  return type === PROVIDER_USAGE || type === CONTEXT_SUMMARIZED || isTerminalEventType(type);
}

/**
 * What an event of a run comes to; `undefined` for one that a replay repeats: its source was told of, and no bill is paid
 * twice; and for all summaries of a window but its first: they are one compaction. A branch is told of from where its own events
 * begin. Reads a header and a few single events, however long the log.
 *
 * @throws NotFoundError where there is no such run or event, ValidationError or ContextRefusedError where it cannot be read
 */
export async function efficiencyEventOf(log: Log, notice: ToldNotice): Promise<EfficiencyEvent | undefined> {
  const { tenantId, runId } = notice;
  const header = await log.header(tenantId, runId);
  if (!header) throw new NotFoundError('A run that is told of', { runId });
  if (header.origin?.mode === 'replay') return undefined;
  const event = await eventAt(log, notice);
  const told = { tenantId, runId, timestamp: event.timestamp };
  return inOwnWords(async () => {
    if (event.type === PROVIDER_USAGE)
      return workerUsage(told, parseRequest(providerUsageSchema, event.payload));
    if (event.type === CONTEXT_SUMMARIZED) return compactionOf(log, header, { told, event });
    return endOf(log, header, { told, event });
  });
}

async function inOwnWords<Event>(make: () => Promise<Event>): Promise<Event> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ContextRefusal) throw new ContextRefusedError(error);
    throw error;
  }
}

async function eventAt(
  log: Log,
  { tenantId, runId, sequence, type, eventId }: ToldNotice,
): Promise<RecordedEvent> {
  const { events } = await log.readRun({ tenantId, runId, fromSequence: sequence, limit: 1 });
  const [event] = events;
  if (event?.eventId !== eventId || event.type !== type)
    throw new NotFoundError('An event that is told of', { runId, sequence });
  return event;
}

type Told = { readonly told: ToldEvent; readonly event: RecordedEvent };

async function compactionOf(
  log: Log,
  header: RunHeader,
  { told, event }: Told,
): Promise<EfficiencyEvent | undefined> {
  if (!(await isFirstOfWindow(log, header, event))) return undefined;
  return budgetTransition(told, settingsOf(header), await windowWith(log, header, event));
}

async function endOf(log: Log, header: RunHeader, { told, event }: Told): Promise<EfficiencyEvent> {
  const window = await lastOwnWindow(log, header, event.sequence);
  const workedMs = event.type === RUN_COMPLETED ? await workedMsOf(log, header, told) : null;
  return workerCompleted(told, { settings: settingsOf(header), window, workedMs });
}

/**
 * Time in which nobody was waited for. A workflow's state says it; of a branch it has the source's in it. Where no state says
 * it, it is the whole time of a run that waited for nobody, and unknown of any other.
 */
async function workedMsOf(log: Log, header: RunHeader, { timestamp }: ToldEvent): Promise<number | null> {
  const { tenantId, runId, state, createdAt } = header;
  const { activeMs } = state;
  if (!header.origin && isDuration(activeMs)) return activeMs;
  const waits = { tenantId, runId, fromSequence: beginningOf(header), limit: 1, types: WAITS };
  const { events } = await log.readRun(waits);
  return events.length > 0 ? null : elapsedOf(createdAt, timestamp);
}

/** A state is whatever its writer made of it. */
function isDuration(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A branch may begin while its source waits: then it has only the end of that. */
const WAITS = [NODE_SUSPENDED, NODE_RESUMED];

/** The summaries of one window are one compaction: they are appended together, one after the other. */
async function isFirstOfWindow(
  log: Log,
  header: RunHeader,
  { sequence, payload }: RecordedEvent,
): Promise<boolean> {
  if (sequence <= beginningOf(header)) return true;
  const { tenantId, runId } = header;
  const { events } = await log.readRun({ tenantId, runId, fromSequence: sequence - 1, limit: 1 });
  const [before] = events;
  return before?.type !== CONTEXT_SUMMARIZED || iterationOf(before.payload) !== iterationOf(payload);
}

function iterationOf(payload: RecordedEvent['payload']): number {
  return parseRequest(contextSummarizedSchema, payload).iteration;
}

/** A window's summaries are recorded with it, before it. */
async function windowWith(
  log: Log,
  { tenantId, runId }: RunHeader,
  { sequence, payload }: RecordedEvent,
): Promise<WindowPlanned | undefined> {
  const asked = { tenantId, runId, fromSequence: sequence + 1, limit: 1, types: [WINDOW_PLANNED] };
  const [next] = (await log.readRun(asked)).events;
  const window = next && planned(next);
  return window?.iteration === iterationOf(payload) ? window : undefined;
}

async function lastOwnWindow(log: Log, header: RunHeader, below: number): Promise<WindowPlanned | undefined> {
  const { tenantId, runId } = header;
  const asked = {
    tenantId,
    runId,
    fromSequence: below - 1,
    backwards: true,
    limit: 1,
    types: [WINDOW_PLANNED],
  };
  const [last] = (await log.readRun(asked)).events;
  return last && last.sequence >= beginningOf(header) ? planned(last) : undefined;
}

/** Where a branch's own events begin. */
function beginningOf({ origin }: RunHeader): number {
  return origin?.fromSequence ?? 0;
}

/** The log holds what its own schemas accepted. */
function planned({ payload }: RecordedEvent): WindowPlanned {
  return payload as unknown as WindowPlanned;
}

/** Those in force: of a branch the ones it runs on under. A run without a transcript has none. */
function settingsOf({ state }: RunHeader): ContextSettings | undefined {
  return contextSettingsSchema.safeParse(state['context']).data;
}
