import type { JsonObject, RunStatus } from '@palimpsest/contracts';
import type { EventLog, UnfinishedRuns } from '../ports/event-log.js';
import { AT, later, noted } from './event-log/harness.js';

export type UnfinishedRunsHarness = { readonly log: EventLog & UnfinishedRuns; close(): Promise<void> };

type Written = {
  readonly status: RunStatus;
  readonly workflowId?: string;
  readonly at?: Date;
  readonly state?: JsonObject;
};

/** What every adapter of `UnfinishedRuns` promises. Needs a log that holds nothing else. */
export function unfinishedRunsContract(name: string, open: () => Promise<UnfinishedRunsHarness>): void {
  describe(`UnfinishedRuns: ${name}`, () => {
    let harness: UnfinishedRunsHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());

    const write = (
      tenantId: string,
      runId: string,
      { status, workflowId = 'flow', at = AT, state = {} }: Written,
    ) =>
      harness.log.append({
        tenantId,
        runId,
        expectedHead: 'no-run',
        workflowId,
        events: [noted(0), noted(1)],
        at,
        header: { status, state },
      });

    it('are those that the host executes and that could go on by themselves, page by page', async () => {
      await write('b', 'pending', { status: 'pending' });
      await write('a', 'running', { status: 'running' });
      await write('a', 'cancelling', { status: 'cancelling' });
      await write('a', 'young', { status: 'running', at: later(1000) });
      await write('a', 'own-loop', { status: 'running', workflowId: 'palimpsest-external' });
      for (const status of ['completed', 'failed', 'cancelled', 'waiting-approval', 'waiting-input'] as const)
        await write('a', status, { status });
      const goesOn = { activeSince: AT.toISOString() };
      await write('c', 'half-waiting', { status: 'waiting-approval', state: goesOn });
      await write('c', 'ended', { status: 'completed', state: goesOn });
      const origin = { runId: 'running', fromSequence: 1 };
      const fork = { tenantId: 'a', at: AT, status: 'running' as const, state: {} };
      const replay = { ...fork, origin: { ...origin, mode: 'replay' as const } };
      await harness.log.fork({ ...replay, runId: 'repeating', state: { replayTarget: 1 } });
      await harness.log.fork({ ...replay, runId: 'replay', state: { replayTarget: 0 } });
      await harness.log.fork({ ...fork, runId: 'branch', origin: { ...origin, mode: 'branch' } });

      const updatedBefore = later(1000);
      const first = await harness.log.unfinishedRuns({ updatedBefore, limit: 3 });
      expect(first).toEqual([
        { tenantId: 'a', runId: 'branch', head: 0 },
        { tenantId: 'a', runId: 'cancelling', head: 1 },
        { tenantId: 'a', runId: 'replay', head: 0 },
      ]);
      const after = { tenantId: 'a', runId: 'replay' };
      const second = await harness.log.unfinishedRuns({ updatedBefore, limit: 3, after });
      expect(second).toEqual([
        { tenantId: 'a', runId: 'running', head: 1 },
        { tenantId: 'b', runId: 'pending', head: 1 },
        { tenantId: 'c', runId: 'half-waiting', head: 1 },
      ]);
      expect(await harness.log.unfinishedRuns({ updatedBefore: AT, limit: 3 })).toEqual([]);
    });
  });
}
