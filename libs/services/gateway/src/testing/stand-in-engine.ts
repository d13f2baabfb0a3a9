import {
  INTERRUPT_REQUESTED,
  INTERRUPT_RESOLVED,
  isTerminalStatus,
  NODE_RESUMED,
  NODE_STARTED,
  NODE_SUSPENDED,
  PAYLOAD_BYTES,
  RUN_CANCELLED,
  RUN_COMPLETED,
  RUN_STARTED,
  workflowRunStateSchema,
  type CancelRun,
  type JsonObject,
  type NewRunEvent,
  type NodeState,
  type ResolveInterrupt,
  type RunHeader,
  type RunStatus,
  type RunStatusAnswer,
  type StartWorkflow,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import {
  hasCode,
  NotFoundError,
  PayloadTooLargeError,
  TerminalError,
  ValidationError,
  type EventLog,
} from '@palimpsest/kernel';
import type { RunLogCommands } from '../ports.js';

/** When everything happens here. */
export const STAND_IN_NOW = new Date('2026-01-02T03:04:05.678Z');

type Step = {
  readonly events: readonly NewRunEvent[];
  readonly state: JsonObject;
  readonly status: RunStatus;
};

const at = STAND_IN_NOW.toISOString();
const history = { attempt: 0, suspensions: 0 };
const event = (type: string, payload: object): NewRunEvent => ({
  type,
  payload: JSON.parse(JSON.stringify(payload)) as JsonObject,
  schemaVersion: 1,
});

/**
 * Runs of one node, `step`: that of the workflow `gated` waits for an approval, any other stays at work. Rules of
 * refusal are those of the protocol; everything else is the least that a gateway can tell from the real thing.
 */
export class StandInEngine implements Pick<
  RunLogCommands,
  'startWorkflow' | 'resolveInterrupt' | 'cancelRun'
> {
  readonly started: StartWorkflow[] = [];
  readonly resolved: ResolveInterrupt[] = [];
  readonly cancelled: CancelRun[] = [];
  private readonly answers = new Map<string, RunStatusAnswer>();

  constructor(private readonly log: EventLog) {}

  async startWorkflow(command: StartWorkflow): Promise<RunStatusAnswer> {
    this.started.push(command);
    const { tenantId, runId, workflowId, commandId } = command;
    const gated = workflowId === 'gated';
    const payload = event(RUN_STARTED, command);
    const bytes = JSON.stringify(payload).length;
    if (bytes > PAYLOAD_BYTES)
      throw new PayloadTooLargeError(bytes, PAYLOAD_BYTES, 'The event that records it');
    await this.log.append({
      tenantId,
      runId,
      workflowId,
      at: STAND_IN_NOW,
      expectedHead: 'no-run',
      events: [payload, ...(gated ? suspension(runId) : [event(NODE_STARTED, { nodeId: 'step' })])],
      header: { status: gated ? 'waiting-approval' : 'running', state: initialState(command, gated) },
      ...(commandId !== undefined && { commandId }),
    });
    const { status } = await this.header(tenantId, runId);
    return { runId, status };
  }

  async resolveInterrupt(command: ResolveInterrupt): Promise<RunStatusAnswer> {
    this.resolved.push(command);
    return this.decide(command, (header, state) => answered(command, header, state));
  }

  async cancelRun(command: CancelRun): Promise<RunStatusAnswer> {
    this.cancelled.push(command);
    const { reason, cancelledBy } = command;
    return this.decide(command, ({ state }) => ({
      events: [event(RUN_CANCELLED, { reason, cancelledBy })],
      state: { ...state, ...(state['kind'] === 'workflow' && { nodes: cancelledNodes, ended: 'cancelled' }) },
      status: 'cancelled',
    }));
  }

  private async decide(
    command: CancelRun | ResolveInterrupt,
    step: (header: RunHeader, state: WorkflowRunState | undefined) => Step,
  ): Promise<RunStatusAnswer> {
    const { tenantId, runId, commandId } = command;
    const known = commandId === undefined ? undefined : this.answers.get(`${runId}/${commandId}`);
    if (known) return known;
    const header = await this.header(tenantId, runId);
    if (!('nodeId' in command) && isTerminalStatus(header.status)) return { runId, status: header.status };
    const { events, state, status } = step(header, workflowRunStateSchema.safeParse(header.state).data);
    const lastSequence = header.head + events.length;
    const next = { status, state: state['kind'] === 'workflow' ? { ...state, lastSequence } : state };
    const request = { tenantId, runId, expectedHead: header.head, events, at: STAND_IN_NOW, header: next };
    try {
      await this.log.append(request);
    } catch (error) {
      if (hasCode(error, 'sequence_conflict')) return this.decide(command, step);
      throw error;
    }
    const answer = { runId, status };
    if (commandId !== undefined) this.answers.set(`${runId}/${commandId}`, answer);
    return answer;
  }

  private async header(tenantId: string, runId: string): Promise<RunHeader> {
    const header = await this.log.header(tenantId, runId);
    if (!header) throw new NotFoundError('The run');
    return header;
  }
}

function answered(
  command: ResolveInterrupt,
  { status, state: kept }: RunHeader,
  state?: WorkflowRunState,
): Step {
  if (status === 'cancelled') throw new TerminalError('interrupt_cancelled', 'The run was cancelled.');
  const node = state?.nodes[command.nodeId];
  if (!node) throw new TerminalError('interrupt_not_found', 'There is no such interrupt.');
  if (node.status !== 'suspended') throw new TerminalError('interrupt_already_resolved', 'It was answered.');
  const action = (command.resumeValue as { action?: unknown } | null)?.action;
  if (action !== 'accept') throw new ValidationError('resumeValue.action', { field: 'resumeValue.action' });
  const { interruptId } = node.interrupt;
  const { nodeId, resumeValue, decidedBy } = command;
  return {
    events: [
      event(INTERRUPT_RESOLVED, { nodeId, interruptId, resumeValue, decidedBy }),
      event(NODE_RESUMED, { nodeId, interruptId }),
      event(RUN_COMPLETED, { outputs: {} }),
    ],
    state: { ...kept, nodes: completedNodes, ended: 'completed', outputs: {} },
    status: 'completed',
  };
}

const completedNodes: JsonObject = { step: { status: 'completed', ...history, outputs: { done: true } } };
const cancelledNodes: JsonObject = { step: { status: 'cancelled', ...history, reason: 'run-cancelled' } };

function suspension(runId: string): NewRunEvent[] {
  const interruptId = `${runId}:step:0`;
  return [
    event(INTERRUPT_REQUESTED, { kind: 'approval', key: interruptId, data: {} }),
    event(NODE_SUSPENDED, { nodeId: 'step', interruptId, kind: 'approval', key: interruptId }),
  ];
}

function initialState(command: StartWorkflow, gated: boolean): JsonObject {
  const { runId, workflowDigest, inputs, defaults, bounds, context } = command;
  const { configurable, tags, metadata, scopeId } = command;
  const key = `${runId}:step:0`;
  const interrupt = {
    interruptId: key,
    key,
    kind: 'approval' as const,
    requestedAt: at,
    data: { title: 'Go on?' },
  };
  const step: NodeState = gated
    ? { status: 'suspended', ...history, startedAt: at, interrupt }
    : { status: 'running', ...history, startedAt: at };
  const state: WorkflowRunState = {
    kind: 'workflow',
    workflowDigest,
    rootRunId: runId,
    inputs,
    variables: { ...defaults, ...inputs },
    bounds,
    nodes: { step },
    lastSequence: gated ? 2 : 1,
    nodeExecutions: 1,
    activeMs: 0,
    children: [],
    context,
    configurable,
    tags,
    metadata,
    scopeId,
  };
  return JSON.parse(JSON.stringify(state)) as JsonObject;
}
