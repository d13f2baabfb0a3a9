import {
  NODE_COMPLETED,
  ORCHESTRATOR_DECIDED,
  RUN_STARTED,
  WORKER_RETURNED,
  type ContextSettings,
  type JsonObject,
  type NewRunEvent,
  type WindowPlan,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { countAll } from '@palimpsest/tokens';
import { loopMessage, renderMessage, returnedMessage } from '@palimpsest/transcript';
import { foldWorkflowRun, runStatusOf, workflowStateOf } from '@palimpsest/workflow';
import { TENANT, type MemoryHost } from '../memory-host.js';
import { textOf } from './texts.js';

const SUPERVISOR = 'supervisor';

/** What happens between two decisions of a loop, and how much it says: a worker returns, or a node is done. */
export type LoopAct =
  | { readonly act: 'decide'; readonly size: number }
  | { readonly act: 'return'; readonly size: number }
  | { readonly act: 'complete'; readonly size: number };

/** A loop whose turns a model decided, its log written as the orchestrator does it. */
export class ModelLoopRun {
  #said = 0;
  #iteration = 0;

  private constructor(
    private readonly host: MemoryHost,
    readonly runId: string,
  ) {}

  static async start(host: MemoryHost, runId: string, context: ContextSettings): Promise<ModelLoopRun> {
    const run = new ModelLoopRun(host, runId);
    await run.#write({ type: RUN_STARTED, schemaVersion: 1, payload: startedPayload(runId, context) });
    return run;
  }

  async play({ act, size }: LoopAct): Promise<void> {
    this.#said += 1;
    const text = textOf(this.#said, size);
    switch (act) {
      case 'decide':
        return this.#decide(text);
      case 'return':
        return this.#return(text);
      case 'complete':
        return this.#turn(NODE_COMPLETED, 'dispatch', {
          nodeId: 'dispatch',
          outputs: { childStatus: 'completed', summary: text },
        });
    }
  }

  async #decide(reason: string): Promise<void> {
    this.#iteration += 1;
    await loopWindow(this.host, this.runId, this.#iteration);
    const decision = { kind: 'next-worker', nextWorkerIds: ['w'], reason };
    const payload = { agentId: 'agent', iteration: this.#iteration, decision };
    await this.#turn(ORCHESTRATOR_DECIDED, SUPERVISOR, payload);
  }

  async #return(note: string): Promise<void> {
    const childRunId = `run_child_${this.#said}`;
    const content = returnedMessage({ workerId: 'w', began: this.#said, outputs: { note } });
    const origin = `returned:${this.runId}:${childRunId}`;
    const [artifactId = ''] = await this.host.artifacts.put(TENANT, this.runId, [
      { type: 'message', origin, content },
    ]);
    await this.#write({
      type: WORKER_RETURNED,
      schemaVersion: 1,
      nodeId: 'dispatch',
      payload: { workerId: 'w', childRunId, artifactId },
      counts: countAll(renderMessage(content)),
    });
  }

  #turn(type: string, nodeId: string, payload: JsonObject): Promise<void> {
    const event = { type, nodeId, payload, schemaVersion: 1 };
    const message = loopMessage(event);
    return this.#write({ ...event, ...(message && { counts: countAll(renderMessage(message)) }) });
  }

  /** With the header that the event makes, in the same append. */
  async #write(event: NewRunEvent): Promise<void> {
    const { runId } = this;
    const header = await this.host.log.header(TENANT, runId);
    const at = new Date('2026-01-01T00:00:00.000Z');
    const placed = { ...event, sequence: (header?.head ?? -1) + 1, timestamp: at.toISOString() };
    const state = foldWorkflowRun(workflowStateOf(header?.state), placed);
    await this.host.log.append({
      tenantId: TENANT,
      runId,
      expectedHead: header ? header.head : 'no-run',
      ...(header ? {} : { workflowId: 'loop' }),
      events: [event],
      at,
      header: { status: statusOf(state), state: (state ?? {}) as unknown as JsonObject },
    });
  }
}

/** The window of a turn, recorded. */
export function loopWindow(host: MemoryHost, runId: string, iteration: number): Promise<WindowPlan> {
  const turn = { iteration, nodeId: SUPERVISOR };
  return host.windows.planWindow({ tenantId: TENANT, runId, asOfSequence: 0, turn });
}

function statusOf(state: WorkflowRunState | undefined) {
  return state ? runStatusOf(state) : 'running';
}

function startedPayload(rootRunId: string, context: ContextSettings): JsonObject {
  return {
    workflowId: 'loop',
    workflowDigest: 'digest',
    rootRunId,
    inputs: {},
    defaults: {},
    bounds: { maxNodeExecutions: 1000, maxRunDurationMs: 1_000_000 },
    engineVersion: '1',
    transport: 'rest',
    owner: { tenant: TENANT },
    context: { ...context },
  } as JsonObject;
}
