import {
  approvalDataSchema,
  clarificationDataSchema,
  EVENT_PAYLOAD_SCHEMAS,
  externalEventDataSchema,
  workflowRunStateSchema,
  workflowStartedSchema,
  type CancelRun,
  type JsonObject,
  type JsonValue,
  type NewRunEvent,
  type ResolveInterrupt,
  type RunBounds,
  type RunStatus,
  type StartWorkflow,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import type { z } from 'zod';
import { cancelRun } from '../deciders/cancel-run.js';
import { resolveInterrupt } from '../deciders/resolve-interrupt.js';
import { startRun } from '../deciders/start-run.js';
import { checkRunRequest } from '../definition/check-run-request.js';
import { advance, type Advanced, type AdvanceRequest } from '../engine/advance.js';
import type { EffectOutcome } from '../loop/effects.js';
import { foldWorkflowRun, type DatedEvent } from '../fold/fold-workflow-run.js';
import { runStatusOf } from '../fold/run-status-of.js';

export const RUN_ID = 'run-1';
/** As a host makes it: a function of the parent and the place. */
export const childRunIdOf = (began: number): string => `${RUN_ID}-child-${began}`;
export const BOUNDS: RunBounds = { maxNodeExecutions: 2000, maxRunDurationMs: 3_600_000 };
const RUN = { tenantId: 'acme', runId: RUN_ID };

export type TestRunOptions = {
  readonly inputs?: JsonObject;
  readonly configurable?: JsonObject;
  readonly bounds?: Partial<RunBounds>;
  readonly startAt?: number;
  /** Default: there are no secrets. */
  readonly redact?: AdvanceRequest['redact'];
};

/** One run, its log and its clock, which starts at `startAt` (milliseconds, 0) and goes where a spec puts it. Every payload is checked. */
export class TestRun {
  readonly log: DatedEvent[] = [];
  now = 0;
  readonly redact: AdvanceRequest['redact'];
  #folded: WorkflowRunState | undefined;

  constructor(
    readonly definition: WorkflowDefinition,
    {
      inputs = {},
      configurable = {},
      bounds = {},
      startAt = 0,
      redact = (value) => value,
    }: TestRunOptions = {},
  ) {
    const checked = checkRunRequest(definition, { inputs, configurable }, { ...BOUNDS, ...bounds });
    this.now = startAt;
    this.redact = redact;
    const names = { ...RUN, workflowId: definition.id, workflowDigest: 'f'.repeat(64) };
    const asked = Object.keys(configurable).length === 0 ? {} : { configurable };
    this.record(startRun({ ...names, inputs, ...asked, ...checked } as StartWorkflow));
  }

  /** As a store gives it back: through JSON, its keys in another order. */
  get state(): WorkflowRunState {
    return stored(workflowRunStateSchema.parse(this.#folded)) as WorkflowRunState;
  }

  get status(): RunStatus {
    return runStatusOf(this.state);
  }

  get types(): readonly string[] {
    return this.log.map(({ type, nodeId }) => (nodeId === undefined ? type : `${type} ${nodeId}`));
  }

  get last(): DatedEvent | undefined {
    return this.log.at(-1);
  }

  /** Payloads of a type, in the order of the log. */
  payloads(type: string): readonly JsonObject[] {
    return this.log.filter((event) => event.type === type).map(({ payload }) => payload);
  }

  /** Advances once, at this time of the run's clock (milliseconds). */
  advanceOnce(at = this.now, outcome?: EffectOutcome): Advanced {
    this.now = at;
    const state = this.state;
    const head = this.log.length - 1;
    const advanced = advance({
      runId: RUN_ID,
      definition: this.definition,
      state,
      head,
      now: new Date(at),
      childRunIdOf,
      outcome,
      redact: this.redact,
    });
    this.record(advanced.events);
    return advanced;
  }

  /** Advances for as long as there is more. */
  advance(at = this.now): Advanced {
    let advanced = this.advanceOnce(at);
    while (advanced.more) advanced = this.advanceOnce(at);
    return advanced;
  }

  resolve(nodeId: string, resumeValue: JsonValue, more: Partial<ResolveInterrupt> = {}): this {
    const command = { ...RUN, nodeId, resumeValue, decidedBy: 'user-1', ...more } as ResolveInterrupt;
    this.record(resolveInterrupt(command, this.state));
    return this;
  }

  cancel(more: Partial<CancelRun> = {}): this {
    this.record(cancelRun({ ...RUN, ...more }, this.state));
    return this;
  }

  record(events: readonly NewRunEvent[]): void {
    for (const event of events) {
      EVENT_PAYLOAD_SCHEMAS[event.type]?.parse(event.payload);
      checkData(event);
      if (event.type === 'run.started') workflowStartedSchema.parse(event.payload);
      const timestamp = new Date(this.now).toISOString();
      const dated = { ...event, sequence: this.log.length, timestamp };
      this.log.push(dated);
      this.#folded = foldWorkflowRun(this.#folded, dated);
    }
  }
}

const DATA: Readonly<Record<string, z.ZodType>> = {
  approval: approvalDataSchema,
  clarification: clarificationDataSchema,
  'external-event': externalEventDataSchema,
};

function checkData({ type, payload }: NewRunEvent): void {
  if (type === 'interrupt.requested') DATA[payload['kind'] as string]?.parse(payload['data']);
}

function stored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).reverse());
  });
}
