import { createDatabase } from '@palimpsest/adapter-postgres';
import { createApiKey, type GatewayTables } from '@palimpsest/gateway';
import { waitUntil } from '@palimpsest/kernel/testing';
import { ApiClient } from '../api-client.js';
import type { Waiting } from './answers.js';
import type { AllInOneDeployment } from '../deployment.js';

export const OWN_LOOP = {
  workflowId: 'palimpsest-external',
  configurable: { context: { transcriptTokenBudget: 4000, tokenCounter: 'chars', keepLastTurns: 2 } },
};

type MessageEvent = { readonly type: string; readonly payload: { readonly artifactId?: string } };

/** Two tenants, and what they may have. */
export class World {
  private constructor(
    readonly deployment: AllInOneDeployment,
    /** The tenant whose requests are sent. */
    readonly mine: ApiClient,
    readonly theirs: ApiClient,
  ) {}

  static async of(deployment: AllInOneDeployment): Promise<World> {
    const db = createDatabase<GatewayTables>(deployment.pool);
    const { key } = await createApiKey(db, { tenantId: 'other', name: 'other' });
    return new World(deployment, deployment.api, new ApiClient(deployment.api.url, key));
  }

  /** A run with two turns and a window. */
  async ownLoop(api: ApiClient = this.mine): Promise<string> {
    const { runId } = await api.ok(api.post('/v1/runs', OWN_LOOP));
    const messages = [
      { role: 'user', content: 'What is on today?' },
      { role: 'assistant', content: 'Nothing that was written down.' },
    ];
    await api.ok(api.post(`/v1/runs/${runId}/turns`, { messages }));
    await api.ok(api.post(`/v1/runs/${runId}/windows`));
    return String(runId);
  }

  async finishedOwnLoop(): Promise<string> {
    const runId = await this.ownLoop();
    await this.mine.ok(this.mine.post(`/v1/runs/${runId}/finish`));
    return runId;
  }

  /** The content of a run's first message. */
  async artifactOf(runId: string, api: ApiClient = this.mine): Promise<string> {
    const { events } = (await api.ok(api.get(`/v1/runs/${runId}/events`))) as {
      events: readonly MessageEvent[];
    };
    const message = events.find(({ type }) => type === 'palimpsest.message.appended');
    return String(message?.payload.artifactId);
  }

  async workflowRun(workflowId: string, api: ApiClient = this.mine): Promise<string> {
    const { runId } = await api.ok(api.post('/v1/runs', { workflowId }));
    return String(runId);
  }

  async completedWorkflowRun(): Promise<string> {
    const runId = await this.workflowRun('conformance-noop');
    await this.untilStatus(runId, 'completed');
    return runId;
  }

  /** A run that waits for an approval at the node `gate`. */
  async suspended(api: ApiClient = this.mine): Promise<string> {
    const runId = await this.workflowRun('conformance-approval', api);
    await this.untilStatus(runId, 'waiting-approval', api);
    return runId;
  }

  /** Runs that wait, one for each kind of answer. */
  async waiting(): Promise<Waiting> {
    const clarification = await this.workflowRun('conformance-clarification');
    const externalEvent = await this.workflowRun('conformance-interrupt-external-event');
    await this.untilStatus(clarification, 'waiting-input');
    await this.untilStatus(externalEvent, 'waiting-external');
    return { approval: await this.suspended(), clarification, externalEvent };
  }

  async cancelled(): Promise<string> {
    const runId = await this.suspended();
    await this.mine.ok(this.mine.post(`/v1/runs/${runId}/cancel`));
    await this.untilStatus(runId, 'cancelled');
    return runId;
  }

  /** A key of a tenant that is for tests. */
  async testKey(): Promise<string> {
    const db = createDatabase<GatewayTables>(this.deployment.pool);
    return (await createApiKey(db, { tenantId: 'tests', name: 'tests', kind: 'test' })).key;
  }

  /** The signed token of what a run waits for. */
  async tokenOf(runId: string): Promise<string> {
    const { interrupt } = await this.mine.ok(this.mine.get(`/v1/runs/${runId}`));
    return String(interrupt.interruptToken);
  }

  private async untilStatus(runId: string, status: string, api: ApiClient = this.mine): Promise<void> {
    await waitUntil(async () => (await api.ok(api.get(`/v1/runs/${runId}`))).status === status, {
      what: `run at ${status}`,
      withinMs: 20_000,
    });
  }
}
