import { createHash } from 'node:crypto';
import {
  NO_REPLAY_FLAGS,
  type JsonObject,
  type JsonValue,
  type NewRunEvent,
  type RecordedEvent,
  type ResolveInterrupt,
  type StartWorkflow,
  type WorkflowDefinition,
  type WorkflowNode,
  eventIdOf,
} from '@palimpsest/contracts';
import { canonicalJson } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import { advance, resolveInterrupt, startRun, waitingNode } from '@palimpsest/workflow';
import { folded } from '../engine-again.js';
import type { WorkflowHistory } from '../history.js';
import { TENANT } from '../memory-host.js';

/** A person needs a minute for an answer. */
const THINKING_MS = 60_000;

type Answers = Readonly<Record<string, JsonValue>>;

/** Has the engine decide a run to its end; time goes by where it waits. */
class WorkflowRecorder {
  readonly events: RecordedEvent[] = [];
  #now = Date.parse('2026-01-01T00:00:00.000Z');

  constructor(
    private readonly runId: string,
    private readonly definition: WorkflowDefinition,
  ) {}

  run(inputs: JsonObject, answers: Answers): WorkflowHistory {
    const { definition } = this;
    const workflowDigest = createHash('sha256')
      .update(canonicalJson(definition as JsonObject))
      .digest('hex');
    const bounds = { maxNodeExecutions: 100, maxRunDurationMs: 3_600_000 };
    const names = { ...this.key, workflowId: definition.id, workflowDigest };
    this.record(startRun({ ...names, inputs, defaults: {}, bounds } as StartWorkflow, NO_REPLAY_FLAGS));
    while (this.goOn(answers));
    return { kind: 'workflow', definition, returned: {}, events: this.events };
  }

  /** False where nothing leads on. */
  private goOn(answers: Answers): boolean {
    const { definition, runId } = this;
    const step = advance({
      ...{ runId, definition, state: folded(undefined, this.events), head: this.events.length - 1 },
      ...{ now: new Date(this.#now), childRunIdOf: String, redact: redactJson },
    });
    this.record(step.events);
    if (step.state.ended) return false;
    const { nodeId } = waitingNode(step.state) ?? {};
    if (nodeId !== undefined && nodeId in answers) return this.answer(nodeId, answers[nodeId] ?? null);
    if (!step.more && step.wakeAt === undefined) return false;
    this.#now = Math.max(this.#now + 1000, step.wakeAt?.getTime() ?? 0);
    return true;
  }

  private answer(nodeId: string, resumeValue: JsonValue): true {
    this.#now += THINKING_MS;
    const command = { ...this.key, nodeId, resumeValue, decidedBy: 'a-person' };
    this.record(resolveInterrupt(command as ResolveInterrupt, folded(undefined, this.events)));
    return true;
  }

  private get key(): { tenantId: string; runId: string } {
    return { tenantId: TENANT, runId: this.runId };
  }

  private record(events: readonly NewRunEvent[]): void {
    for (const event of events) {
      const sequence = this.events.length;
      const { runId } = this;
      const timestamp = new Date(this.#now).toISOString();
      this.events.push({ eventId: eventIdOf(runId, sequence), runId, sequence, timestamp, ...event });
    }
  }
}

function node(id: string, typeId: string, more: Partial<WorkflowNode> = {}): WorkflowNode {
  return { id, typeId, name: id, position: { x: 0, y: 0 }, config: {}, inputs: {}, ...more };
}

type Edge = WorkflowDefinition['edges'][number];

function edge(sourceNodeId: string, targetNodeId: string, triggerRule?: Edge['triggerRule']): Edge {
  return {
    id: `${sourceNodeId}-${targetNodeId}`,
    sourceNodeId,
    targetNodeId,
    ...(triggerRule && { triggerRule }),
  };
}

/** A call that is tried three times and fails, what is done then, a pause, questions to a person, and their consent. */
const definition: WorkflowDefinition = {
  id: 'golden-release',
  name: 'golden-release',
  version: '1',
  nodes: [
    node('read', 'core.identity', { inputs: { lot: { type: 'variable', variableName: 'lot' } } }),
    node('weigh', 'core.fail', {
      config: { retryable: true, code: 'scale_offline', message: 'The scale does not answer.' },
      settings: { maxRetries: 2 },
    }),
    node('estimate', 'core.identity', { inputs: { weightKg: { type: 'static', value: 41 } } }),
    node('settle', 'core.delay', { config: { delayMs: 5000 } }),
    node('ask', 'core.clarificationGate', {
      config: { questions: [{ id: 'dock', question: 'At which dock does it stand?' }] },
    }),
    node('consent', 'core.approvalGate', { config: { title: 'Release the lot?' } }),
    node('release', 'core.noop'),
  ],
  edges: [
    edge('read', 'weigh'),
    edge('weigh', 'estimate', 'any_failed'),
    edge('estimate', 'settle'),
    edge('settle', 'ask'),
    edge('ask', 'consent'),
    edge('consent', 'release'),
  ],
  triggers: [],
  variables: [{ name: 'lot', type: 'string', required: true }],
  metadata: {},
  settings: {},
};

function released(runId: string, action: 'accept' | 'reject'): WorkflowHistory {
  const answers = { ask: { answers: { dock: 'dock 7' } }, consent: { action } };
  return new WorkflowRecorder(runId, definition).run({ lot: 'LOT-4711' }, answers);
}

/** How each history of an executed run was made, by its name. `long-model-loop` was taken from a host. */
export const WORKFLOW_RECORDINGS: readonly {
  readonly names: readonly string[];
  readonly record: () => Promise<Readonly<Record<string, WorkflowHistory>>>;
}[] = [
  {
    names: ['approvals', 'rejection'],
    record: () =>
      Promise.resolve({
        approvals: released('run_golden_approvals', 'accept'),
        rejection: released('run_golden_rejection', 'reject'),
      }),
  },
];
