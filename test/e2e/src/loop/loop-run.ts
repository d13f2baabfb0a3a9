import { waitUntil } from '@palimpsest/kernel/testing';
import type { ApiClient } from '../api-client.js';

export type LoopEvent = {
  readonly eventId: string;
  readonly sequence: number;
  readonly type: string;
  readonly nodeId?: string;
  readonly causationId?: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly payload: any;
};

export type LoopEnd = {
  readonly runId: string;
  readonly status: string;
  readonly error: { readonly code: string; readonly retryable?: boolean } | undefined;
  readonly events: readonly LoopEvent[];
};

const TERMINAL = ['completed', 'failed', 'cancelled'];
const PATIENCE = { withinMs: 240_000 };

export async function startLoop(api: ApiClient, workflowId: string, parts: object = {}): Promise<string> {
  const { runId } = await api.ok(api.post('/v1/runs', { workflowId, ...parts }));
  return String(runId);
}

export async function untilStatus(
  api: ApiClient,
  runId: string,
  wanted: readonly string[],
): Promise<Record<string, unknown>> {
  let snapshot: Record<string, unknown> = {};
  await waitUntil(
    async () => {
      const { status, json } = await api.get(`/v1/runs/${runId}`).catch(() => ({ status: 0, json: {} }));
      if (status === 200) snapshot = json as Record<string, unknown>;
      return [...wanted, ...TERMINAL].includes(String(snapshot['status']));
    },
    { ...PATIENCE, what: `run ${runId} is ${wanted.join(' or ')}` },
  );
  return snapshot;
}

export async function loopEvents(api: ApiClient, runId: string): Promise<readonly LoopEvent[]> {
  const { events } = await api.ok(api.get(`/v1/runs/${runId}/events`));
  return events as readonly LoopEvent[];
}

export async function untilEnd(api: ApiClient, runId: string): Promise<LoopEnd> {
  const { status, error } = await untilStatus(api, runId, TERMINAL);
  return {
    runId,
    status: String(status),
    error: error as LoopEnd['error'],
    events: await loopEvents(api, runId),
  };
}

export async function runLoop(api: ApiClient, workflowId: string, parts: object = {}): Promise<LoopEnd> {
  return untilEnd(api, await startLoop(api, workflowId, parts));
}

export function ofType(events: readonly LoopEvent[], type: string): readonly LoopEvent[] {
  return events.filter((event) => event.type === type);
}

export function iterationsOf(events: readonly LoopEvent[]): readonly number[] {
  return ofType(events, 'runOrchestrator.decided').map(({ payload }) => Number(payload.iteration));
}
