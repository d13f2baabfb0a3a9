import { MemoryEventLog } from '@palimpsest/adapter-memory';
import type { JsonObject, SummaryJob, SummaryResult, WorkflowRunState } from '@palimpsest/contracts';
import { silentLogger } from '@palimpsest/kernel';
import { foldWorkflowRun } from '@palimpsest/workflow';
import { MemorySummaryJobStore } from '../store/memory-summary-job-store.js';
import { RecordUsage } from './record-usage.js';

const RUN = { tenantId: 'acme', runId: 'run_1' };
const AT = new Date('2026-01-01T00:00:00.000Z');
const job: SummaryJob = {
  ...RUN,
  jobId: 'j',
  tokenCounter: 'chars',
  maxTokens: 9,
  absorbed: [],
  messages: [],
};

const started = {
  type: 'run.started',
  schemaVersion: 1,
  payload: {
    workflowId: 'loop',
    workflowDigest: 'd',
    rootRunId: 'run_1',
    inputs: {},
    defaults: {},
    bounds: {},
    engineVersion: '1',
    transport: 'rest',
    owner: { tenant: 'acme' },
  } as JsonObject,
};

const told = (...ids: string[]): SummaryResult => ({
  outcome: 'refused',
  jobId: 'j',
  tenantId: 'acme',
  reason: 'empty',
  invocations: ids.map((invocationId) => ({
    invocationId,
    usage: { provider: 'p', model: 'm', inputTokens: 3, outputTokens: 1 },
  })),
});

async function loopRun() {
  const log = new MemoryEventLog();
  const jobs = new MemorySummaryJobStore();
  const usage = new RecordUsage({ log, jobs, clock: { now: () => AT }, logger: silentLogger });
  const state = foldWorkflowRun(undefined, { ...started, sequence: 0, timestamp: AT.toISOString() });
  await log.append({
    ...RUN,
    expectedHead: 'no-run',
    workflowId: 'loop',
    events: [started],
    at: AT,
    header: { status: 'running', state: state as unknown as JsonObject },
  });
  await jobs.open(job, { at: AT, nodeId: 'supervisor' });
  const events = async () => (await log.readRun({ ...RUN, fromSequence: 1 })).events;
  const stateNow = async () => (await log.header('acme', 'run_1'))?.state as unknown as WorkflowRunState;
  return { log, usage, events, stateNow };
}

describe('usage of summaries on the run of an execution loop', () => {
  it('names the supervisor, and leaves the state as its events make it', async () => {
    const { usage, events, stateNow } = await loopRun();
    await usage.of(told('a', 'b'));
    expect(await events()).toMatchObject([
      { type: 'provider.usage', nodeId: 'supervisor', payload: { nodeId: 'supervisor', inputTokens: 3 } },
      { type: 'provider.usage' },
    ]);
    expect((await stateNow()).lastSequence).toBe(2);
  });

  it('is appended behind whoever wrote first', async () => {
    const { log, usage, events } = await loopRun();
    const append = log.append.bind(log);
    let isFirst = true;
    log.append = async (request) => {
      if (isFirst) {
        isFirst = false;
        await usage.of(told('other'));
      }
      return append(request);
    };
    await usage.of(told('a'));
    expect(await events()).toHaveLength(2);
  });

  it('is nobody’s where no run asked for the job', async () => {
    const { usage, events } = await loopRun();
    await usage.of({ ...told('a'), jobId: 'unknown' });
    expect(await events()).toEqual([]);
  });
});
