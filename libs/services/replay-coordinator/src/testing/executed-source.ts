import type {
  CancelRun,
  JsonObject,
  NewRunEvent,
  RunBounds,
  StartWorkflow,
  WorkflowDefinition,
  WorkflowRunState,
} from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import {
  advance,
  cancelRun,
  foldWorkflowRun,
  runStatusOf,
  startRun,
  type EffectOutcome,
} from '@palimpsest/workflow';
import { SOURCE, TENANT } from './source-run.js';

type NodeConfig = WorkflowDefinition['nodes'][number]['config'];

export const DIGEST = '0'.repeat(64);
const BOUNDS: RunBounds = { maxNodeExecutions: 1000, maxRunDurationMs: 3_600_000 };

/** Nodes one after another, by id and type without `core.`; `config` is what each is made with. */
export function inLine(
  nodes: Readonly<Record<string, string>>,
  config: Readonly<Record<string, NodeConfig>> = {},
): WorkflowDefinition {
  const ids = Object.keys(nodes);
  return {
    id: 'in-line',
    name: 'In line',
    version: '1',
    nodes: ids.map((id) => ({
      id,
      typeId: `core.${nodes[id] ?? ''}`,
      name: id,
      position: { x: 0, y: 0 },
      config: config[id] ?? {},
      inputs: {},
    })),
    edges: ids
      .slice(1)
      .map((id, place) => ({ id: `to-${id}`, sourceNodeId: ids[place] ?? '', targetNodeId: id })),
    triggers: [],
    variables: [],
    metadata: {},
    settings: {},
  };
}

/** A run as run log and orchestrator write it, one step at a time. */
export class ExecutedSource {
  now = new Date('2026-01-01T00:00:00.000Z');

  constructor(
    private readonly eventLog: EventLog,
    private readonly definition: WorkflowDefinition,
  ) {}

  async start(inputs: StartWorkflow['inputs'] = {}): Promise<this> {
    const names = { tenantId: TENANT, runId: SOURCE, workflowId: this.definition.id, workflowDigest: DIGEST };
    await this.#append(startRun({ ...names, inputs, defaults: {}, bounds: BOUNDS }));
    return this;
  }

  /** As far as it goes at this time, with what came of what it asked for before. */
  async advance(laterMs = 0, outcome?: EffectOutcome): Promise<this> {
    this.now = new Date(this.now.getTime() + laterMs);
    for (let more = true; more;) {
      const { head, state } = await this.#standing();
      const { definition, now } = this;
      const rest = { outcome, redact: <Value>(value: Value) => value, childRunIdOf: () => 'child-of-source' };
      const step = advance({ runId: SOURCE, definition, state, head, now, ...rest });
      if (step.events.length > 0) await this.#append(step.events);
      more = step.more;
    }
    return this;
  }

  async cancel(more: Partial<CancelRun> = {}): Promise<this> {
    const { state } = await this.#standing();
    await this.#append(cancelRun({ tenantId: TENANT, runId: SOURCE, ...more }, state));
    return this;
  }

  async #standing(): Promise<{ readonly head: number; readonly state: WorkflowRunState }> {
    const header = await this.eventLog.header(TENANT, SOURCE);
    if (!header) throw new TypeError('The source has not started.');
    return { head: header.head, state: header.state as unknown as WorkflowRunState };
  }

  async #append(events: readonly NewRunEvent[]): Promise<void> {
    const header = await this.eventLog.header(TENANT, SOURCE);
    const first = (header?.head ?? -1) + 1;
    const timestamp = this.now.toISOString();
    const state = events
      .map((event, place) => ({ ...event, sequence: first + place, timestamp }))
      .reduce<WorkflowRunState | undefined>(
        foldWorkflowRun,
        header?.state as unknown as WorkflowRunState | undefined,
      );
    if (!state) throw new TypeError('A run starts with its start.');
    await this.eventLog.append({
      tenantId: TENANT,
      runId: SOURCE,
      expectedHead: header?.head ?? 'no-run',
      events,
      at: this.now,
      header: { status: runStatusOf(state), state: state as unknown as JsonObject },
      ...(!header && { workflowId: this.definition.id }),
    });
  }
}
