import { ofType } from './expectations.js';
import type { Host, Json } from './host.js';
import { pathOf } from './runs.js';

/** Payloads of the decisions on a log, in order. */
export function decisionsOf(events: readonly Json[]): readonly Json[] {
  return ofType(events, 'runOrchestrator.decided').map(({ payload }) => payload as unknown);
}

/** Events of handoffs on a parent's log, in order. */
export function chainOf(events: readonly Json[]): readonly Json[] {
  return ofType(events, 'core.workflowChain.event');
}

export function phasesOf(events: readonly Json[]): readonly string[] {
  return chainOf(events).map(({ payload }) => String(payload.phase));
}

/** Snapshots of the children that a log names, in the order in which they were dispatched. */
export async function childrenOf(host: Host, events: readonly Json[]): Promise<readonly Json[]> {
  const snapshots: unknown[] = [];
  for (const { payload } of ofType(events, 'node.dispatched')) {
    const { status, json } = await host.get(pathOf(String(payload.childRunId)));
    expect(status).toBe(200);
    snapshots.push(json);
  }
  return snapshots;
}

/** 1, 2, 3 … without gap or repeat (host specification §5.6), all of one agent (CO-2). */
export function expectTurns(events: readonly Json[], turns: number): void {
  const decisions = decisionsOf(events);
  expect(decisions.map(({ iteration }) => Number(iteration))).toEqual(
    Array.from({ length: turns }, (_, place) => place + 1),
  );
  expect(new Set(decisions.map(({ agentId }) => String(agentId))).size).toBe(1);
}

/** A worker and its dispatch, registered through the seam: nodes as tests write them (host specification §12.7). */
export async function registerLoop(
  host: Host,
  workflowId: string,
  { worker, dispatch }: { readonly worker: string; readonly dispatch: object },
): Promise<void> {
  const mockDispatchPlan = [
    { kind: 'next-worker', nextWorkerIds: [worker] },
    { kind: 'terminate', reason: 'goal-reached' },
  ];
  const { status, text } = await host.post('/v1/host/sample/workflows', {
    workflowId,
    nodes: [
      { nodeId: 'supervisor', typeId: 'core.orchestrator.supervisor', config: { mockDispatchPlan } },
      { nodeId: 'dispatch', typeId: 'core.dispatch', config: dispatch },
    ],
    edges: [
      { sourceNodeId: 'supervisor', targetNodeId: 'dispatch' },
      { sourceNodeId: 'dispatch', targetNodeId: 'supervisor' },
    ],
    variables: [{ name: 'parentResult', type: 'string', defaultValue: 'untouched' }],
  });
  if (status !== 201) throw new Error(`Registering ${workflowId} answered ${status}: ${text.slice(0, 500)}`);
}
