import type { Host } from './host.js';

/** What the agent loop's seam is asked for (host specification §9.3). */
export type AgentLoopRequest = {
  readonly turns: number;
  readonly maxLoopIterations?: number;
  readonly suspendAtTurn?: number;
  readonly resume?: boolean;
};

export type AgentLoop = {
  readonly decisions: readonly {
    readonly agentId: string;
    readonly decision: unknown;
    readonly iteration: number;
  }[];
  readonly resumedIteration?: number;
};

/** A loop with a scripted planner, from its first turn to its end or to where it waits. */
export async function runAgentLoop(host: Host, request: AgentLoopRequest): Promise<AgentLoop> {
  const { status, json, text } = await host.post('/v1/host/sample/agentloop/run', request);
  if (status !== 200) throw new Error(`The agent loop's seam answered ${status}: ${text.slice(0, 300)}`);
  return json as AgentLoop;
}
