import {
  NODE_COMPLETED,
  ORCHESTRATOR_DECIDED,
  RUN_OVERLAID,
  RUN_STARTED,
  WORKER_RETURNED,
  type ContextSettings,
  type JsonObject,
  type NewRunEvent,
  type RecordedEvent,
  type RunOverlaid,
  type WindowPlan,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { readEvents } from '@palimpsest/kernel';
import { countAll } from '@palimpsest/tokens';
import { loopMessage, renderMessage, returnedMessage } from '@palimpsest/transcript';
import { foldWorkflowRun, workflowStateOf, type DatedEvent } from '@palimpsest/workflow';
import type { AssemblerHandlers } from '../handlers/answer-requests.js';
import { AssemblerHarness, RUN, type HarnessOptions } from './assembler-harness.js';
import { pinAdded, pinRemoved } from './pin-events.js';

const AT = new Date('2026-01-01T00:00:00.000Z');
export const SUPERVISOR = 'supervisor';

/** The log of an execution loop as its orchestrator writes it, and an assembler over it. */
export class LoopHarness {
  readonly assembler: AssemblerHarness;
  runId = RUN.runId;
  #children = 0;

  constructor(readonly settings: ContextSettings) {
    this.assembler = new AssemblerHarness(settings);
  }

  handlers(options: HarnessOptions = { deadlineMs: 1 }): AssemblerHandlers {
    return this.assembler.handlers(options);
  }

  /** `null`: a loop without windows. */
  async start(context: ContextSettings | null = this.settings): Promise<void> {
    const payload = {
      workflowId: 'loop',
      workflowDigest: 'digest',
      rootRunId: RUN.runId,
      inputs: {},
      defaults: {},
      bounds: { maxNodeExecutions: 1000, maxRunDurationMs: 1_000_000 },
      engineVersion: '1',
      transport: 'rest',
      owner: { tenant: RUN.tenantId },
      ...(context && { context }),
    };
    const event: NewRunEvent = { type: RUN_STARTED, schemaVersion: 1, payload: payload as JsonObject };
    await this.assembler.log.append({
      ...RUN,
      expectedHead: 'no-run',
      workflowId: 'loop',
      at: AT,
      events: [event],
      header: { status: 'running', state: folded(undefined, [dated(event, 0)]) },
    });
  }

  decided(iteration: number, reason: string): Promise<void> {
    const decision = { kind: 'next-worker', nextWorkerIds: ['w'], reason };
    return this.append({
      type: ORCHESTRATOR_DECIDED,
      payload: { agentId: 'agent', iteration, decision },
      nodeId: SUPERVISOR,
    });
  }

  /** The artifact of what was returned. */
  async returned(note: string): Promise<string> {
    this.#children += 1;
    const { runId } = this;
    const childRunId = `run_c${this.#children}`;
    const content = returnedMessage({ workerId: 'w', began: this.#children, outputs: { note } });
    const origin = `returned:${runId}:${childRunId}`;
    const [artifactId = ''] = await this.assembler.artifacts.put(RUN.tenantId, runId, [
      { type: 'message', origin, content },
    ]);
    await this.write({
      type: WORKER_RETURNED,
      schemaVersion: 1,
      payload: { workerId: 'w', childRunId, artifactId },
      nodeId: 'dispatch',
      counts: countAll(renderMessage(content)),
    });
    return artifactId;
  }

  completed(summary: string): Promise<void> {
    const payload = { nodeId: 'dispatch', outputs: { childStatus: 'completed', summary } };
    return this.append({ type: NODE_COMPLETED, payload, nodeId: 'dispatch' });
  }

  /** An event of a turn's type that is not in the transcript, as it has no counts. */
  aside(): Promise<void> {
    return this.write({
      type: NODE_COMPLETED,
      schemaVersion: 1,
      payload: { nodeId: 'other', outputs: { note: 'no turn' } },
      nodeId: 'other',
    });
  }

  async pin(pinId: string, text: string): Promise<void> {
    await this.write(await pinAdded(this.assembler.artifacts, { ...RUN, pinId, text }));
  }

  unpin(pinId: string): Promise<void> {
    return this.write(pinRemoved(pinId));
  }

  window(iteration: number, handlers = this.handlers()): Promise<WindowPlan> {
    return handlers.planWindow.handle({
      ...this.run,
      asOfSequence: 0,
      turn: { iteration, nodeId: SUPERVISOR },
    });
  }

  async events(): Promise<RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    const range = { ...this.run, from: 0, to: Infinity };
    for await (const event of readEvents(this.assembler.log, range)) found.push(event);
    return found;
  }

  /** Goes on with a branch that shares the events below a place. */
  async branch(runId: string, fromSequence: number): Promise<void> {
    const shared = (await this.events()).slice(0, fromSequence);
    await this.assembler.log.fork({
      tenantId: RUN.tenantId,
      runId,
      origin: { runId: this.runId, fromSequence, mode: 'branch' },
      at: AT,
      status: 'running',
      state: folded(undefined, shared),
    });
    await this.assembler.artifacts.linkFork(RUN.tenantId, runId, this.runId);
    this.runId = runId;
  }

  /** As the replay coordinator records it. */
  overlay(overlaid: RunOverlaid): Promise<void> {
    return this.write({ type: RUN_OVERLAID, schemaVersion: 1, payload: overlaid as JsonObject });
  }

  get run(): { readonly tenantId: string; readonly runId: string } {
    return { tenantId: RUN.tenantId, runId: this.runId };
  }

  async state(): Promise<WorkflowRunState | undefined> {
    return workflowStateOf((await this.assembler.log.header(RUN.tenantId, this.runId))?.state);
  }

  private append(event: Omit<NewRunEvent, 'schemaVersion'>): Promise<void> {
    const message = loopMessage(event);
    return this.write({
      ...event,
      schemaVersion: 1,
      ...(message && { counts: countAll(renderMessage(message)) }),
    });
  }

  private async write(event: NewRunEvent): Promise<void> {
    const header = await this.assembler.log.header(RUN.tenantId, this.runId);
    const head = header?.head ?? -1;
    await this.assembler.log.append({
      ...this.run,
      expectedHead: head,
      at: AT,
      events: [event],
      header: { state: folded(await this.state(), [dated(event, head + 1)]) },
    });
  }
}

function dated(event: NewRunEvent, sequence: number): DatedEvent {
  return { ...event, sequence, timestamp: AT.toISOString() };
}

/** A header's state is what its writers make of the log. */
export function folded(state: WorkflowRunState | undefined, events: readonly DatedEvent[]): JsonObject {
  const after = events.reduce<WorkflowRunState | undefined>(foldWorkflowRun, state);
  return (after ?? {}) as unknown as JsonObject;
}
