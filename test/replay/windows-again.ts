import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import type { JsonObject, RecordedEvent, Verification, WorkflowRunState } from '@palimpsest/contracts';
import { silentLogger } from '@palimpsest/kernel';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { assemblerHandlers, MemorySummaryJobStore } from '@palimpsest/transcript-assembler';
import { runStatusOf } from '@palimpsest/workflow';
import { folded } from './engine-again.js';
import { messageOf, type History } from './history.js';

const TENANT = 'default';
const WINDOW_PLANNED = 'palimpsest.window.planned';
const WORKER_RETURNED = 'palimpsest.worker.returned';
/** The assembler appends these itself. */
const ITS_OWN = [WINDOW_PLANNED, 'context.summarized'];

export type WindowsAgain = { readonly events: readonly RecordedEvent[]; readonly verification: Verification };

/** Has a new assembler plan every window of a recorded loop, from a log without windows and an empty artifact store. */
export async function windowsAgain(history: History): Promise<WindowsAgain> {
  const { events } = history;
  const [started] = events;
  const log = new MemoryEventLog();
  const artifactStore = new MemoryArtifactStore();
  const bus = new InProcessBus({ store: new MemoryStreamStore() });
  const maker = {
    artifacts: artifactStore,
    summarizer: extractiveSummarizer(countTokens),
    count: countTokens,
  };
  const assembler = assemblerHandlers({
    ...{ eventLog: log, artifactStore, bus, logger: silentLogger },
    clock: { now: () => new Date(started?.timestamp ?? 0) },
    jobs: new MemorySummaryJobStore(),
    makeSummaryHere: (job) => makeSummary(job, maker),
    // There are no workers to wait for.
    summaryDeadlineMs: 1,
  });
  const runId = started?.runId ?? '';
  const run = { tenantId: TENANT, runId };
  try {
    for (const event of events) {
      if (event.type === WINDOW_PLANNED) {
        const turn = { iteration: Number(event.payload['iteration']), nodeId: event.nodeId };
        await assembler.planWindow.handle({ ...run, asOfSequence: event.payload['asOfSequence'], turn });
      } else if (!ITS_OWN.includes(event.type))
        await append(log, await withContent(artifactStore, history, event));
    }
    const again = await readAll(log, runId);
    return { events: again, verification: await assembler.verifyRun.handle(run) };
  } finally {
    await bus.close();
  }
}

/** What a worker returned is stored before the log refers to it. */
async function withContent(
  artifacts: MemoryArtifactStore,
  history: History,
  event: RecordedEvent,
): Promise<RecordedEvent> {
  const { type, runId, payload } = event;
  const content = type === WORKER_RETURNED ? messageOf(history, event) : undefined;
  if (!content) return event;
  const origin = `returned:${runId}:${payload['childRunId'] as string}`;
  const [artifactId = ''] = await artifacts.put(TENANT, runId, [{ type: 'message', origin, content }]);
  return { ...event, payload: { ...payload, artifactId } };
}

async function append(log: MemoryEventLog, event: RecordedEvent): Promise<void> {
  const { runId, timestamp, sequence: _sequence, eventId: _eventId, ...told } = event;
  const header = await log.header(TENANT, runId);
  const head = header?.head ?? -1;
  const known = header?.state as WorkflowRunState | undefined;
  const state = folded(known, [{ ...event, sequence: head + 1 }]);
  await log.append({
    tenantId: TENANT,
    runId,
    expectedHead: header ? head : 'no-run',
    ...(header ? {} : { workflowId: event.payload['workflowId'] as string }),
    events: [told],
    at: new Date(timestamp),
    header: { status: runStatusOf(state), state: state as unknown as JsonObject },
  });
}

async function readAll(log: MemoryEventLog, runId: string): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const page = await log.readRun({ tenantId: TENANT, runId, fromSequence: from });
    events.push(...page.events);
    from = page.next;
  }
  return events;
}
