import { summaryJobs } from './database-search.js';
import { startAllInOne, startSplit, type Deployment, type SplitDeployment } from './deployment.js';
import { round } from './conversation.js';
import { describeRegistryFaults } from './registry/registry-faults.js';
import { describeRegistryFlow } from './registry/registry-flow.js';
import { describeWholeFlow, MARKER } from './whole-flow.js';

describe('the main job, every service in a process of its own', () => {
  let running: SplitDeployment;
  beforeAll(async () => {
    running = await startSplit();
  });
  afterAll(() => running?.stop());

  describeWholeFlow(() => running);

  it('shares the summaries of several runs among the workers', async () => {
    const { api, cluster, pool } = running;
    const runIds = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { runId } = await api.ok(
          api.post('/v1/runs', {
            workflowId: 'palimpsest-external',
            configurable: { context: { transcriptTokenBudget: 500, keepLastTurns: 1 } },
          }),
        );
        return String(runId);
      }),
    );
    const rounds = [0, 1, 2, 3].map((number) => round(number, { marker: MARKER }).flat());
    for (const messages of rounds) {
      await Promise.all(
        runIds.map(async (runId) => {
          await api.ok(api.post(`/v1/runs/${runId}/turns`, { messages }));
          await api.ok(api.post(`/v1/runs/${runId}/windows`));
        }),
      );
    }
    const doneBy = cluster
      .of('summarizer-worker')
      .map((worker) => worker.logged('Summary job done').map(({ fields }) => String(fields['jobId'])));
    expect(doneBy.map((jobs) => jobs.length > 0)).toEqual([true, true]);
    const jobs = (await summaryJobs(pool)).map(({ job_id }) => job_id);
    expect(jobs.length).toBeGreaterThan(10);
    expect(doneBy.flat().sort()).toEqual([...jobs].sort());
  });

  it('says nothing of content on the bus', () => {
    const { messages } = running.tap;
    expect(messages.length).toBeGreaterThan(500);
    expect(messages.some(({ subject }) => subject.startsWith('palimpsest.work.summarize.'))).toBe(true);
    expect(messages.filter(({ text }) => text.includes(MARKER)).map(({ subject }) => subject)).toEqual([]);
  });

  describe('the registry', () => {
    describeRegistryFlow(() => running);
    describeRegistryFaults(() => running);
  });
});

describe('the main job, all in one process', () => {
  let running: Deployment;
  beforeAll(async () => {
    running = await startAllInOne();
  });
  afterAll(() => running?.stop());

  describeWholeFlow(() => running);
  describe('the registry', () => describeRegistryFlow(() => running));
});
