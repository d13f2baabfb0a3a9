import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  advanceSubject,
  STREAMS,
  type CancelRun,
  type JsonObject,
  type JsonValue,
  type NewRunEvent,
  type RecordedEvent,
  type RunHeader,
  type RunStatusAnswer,
  type StartWorkflow,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import {
  hasCode,
  noRacePoints,
  NotFoundError,
  OneAtATime,
  silentLogger,
  type EventLog,
  type MessageBus,
  type RacePoints,
} from '@palimpsest/kernel';
import {
  cancelRun,
  checkRunRequest,
  foldWorkflowRun,
  resolveInterrupt,
  runStatusOf,
  startRun,
} from '@palimpsest/workflow';
import { countAll } from '@palimpsest/tokens';
import type { DefinitionStore } from '../definitions/definition-store.js';
import { KnownDefinitions } from '../definitions/known-definitions.js';
import type { InvocationStore } from '../invocations/invocation-store.js';
import { MemoryInvocationStore } from '../invocations/memory-invocation-store.js';
import { OrchestratorModule, type OrchestratorModuleOptions } from '../orchestrator.module.js';
import type { ExecutionPorts, RunKey } from '../orchestrator-ports.js';
import type { TimerStore } from '../timers/timer-store.js';

const TENANT = 'acme';
const LIMITS = { maxNodeExecutions: 1000, maxRunDurationMs: 3_600_000 };

type Stores = {
  readonly eventLog: EventLog;
  readonly bus: MessageBus;
  readonly definitions: DefinitionStore;
  readonly timers: TimerStore;
  readonly invocations?: InvocationStore;
};

/** Counts on the event loop: texts of specs are short. */
export const tokens = {
  countAll: (texts: readonly string[]) => Promise.resolve(texts.map((text) => countAll(text))),
};

type Started = {
  readonly inputs?: JsonObject;
  readonly configurable?: JsonObject;
  readonly parentRunId?: string;
  readonly workflowDigest?: string;
  readonly context?: StartWorkflow['context'];
};

/** Runs over given stores, started and commanded as the run log and its relay do it, on a clock that the spec moves. */
export class WorkflowHarness {
  now = new Date('2026-01-01T00:00:00.000Z');
  readonly clock = { now: () => this.now };
  #runs = 0;
  #jobs = 0;
  readonly #started = new Map<string, string | undefined>();
  readonly invocations: InvocationStore;

  constructor(readonly stores: Stores) {
    this.invocations = stores.invocations ?? new MemoryInvocationStore();
  }

  /** A process; `races` is where it may be killed. */
  async orchestrator(changes: Partial<OrchestratorModuleOptions> = {}): Promise<INestApplicationContext> {
    const options: OrchestratorModuleOptions = {
      ...this.stores,
      invocations: this.invocations,
      tokens,
      childRuns: this,
      clock: this.clock,
      logger: silentLogger,
      conformanceFixtures: true,
      timerPollMs: 5,
      retries: { maxRetryableAttempts: 3, retryBaseMs: 1 },
      ...changes,
    };
    return NestFactory.createApplicationContext(OrchestratorModule.register(options), {
      logger: false,
      abortOnError: false,
    });
  }

  /** What one orchestrator works with, for specs that hold it at a point. */
  ports(races: RacePoints = noRacePoints): ExecutionPorts {
    const { eventLog, bus, definitions, timers } = this.stores;
    return {
      eventLog,
      bus,
      maxChildDepth: 8,
      timers,
      definitions: new KnownDefinitions(definitions),
      childRuns: this,
      clock: this.clock,
      logger: silentLogger,
      races,
      inTurn: new OneAtATime(),
      tokens,
      modelNodes: { answer: () => Promise.resolve(undefined) },
      sideEffects: { perform: () => Promise.resolve(undefined) },
    };
  }

  async start(workflowId: string, started: Started = {}): Promise<RunKey> {
    const key = await this.record(workflowId, started);
    await this.job(key);
    return key;
  }

  /** A started run of which nobody is told. */
  async record(workflowId: string, { inputs = {}, configurable, ...more }: Started = {}): Promise<RunKey> {
    const workflow = await this.stores.definitions.inForce(TENANT, workflowId);
    if (!workflow) throw new NotFoundError(`The workflow ${workflowId}`);
    const checked = checkRunRequest(
      workflow.definition,
      { inputs, configurable: configurable ?? {} },
      LIMITS,
    );
    const key = { tenantId: TENANT, runId: `run-${(this.#runs += 1)}` };
    const events = startRun({
      ...key,
      workflowId,
      workflowDigest: workflow.digest,
      inputs,
      ...checked,
      ...(configurable && { configurable }),
      ...more,
    } as Parameters<typeof startRun>[0]);
    await this.#append(key, undefined, { events, workflowId });
    return key;
  }

  /** As the run log does it for a dispatch: the first command of this id is recorded, others are answered alike. */
  async startWorkflow(command: StartWorkflow): Promise<RunStatusAnswer> {
    const { runId, workflowId, commandId } = command;
    const isFirst = !this.#started.has(runId);
    if (!isFirst) expect(commandId).toBe(this.#started.get(runId));
    this.#started.set(runId, commandId);
    if (isFirst) await this.#append(command, undefined, { events: startRun(command), workflowId });
    await this.job({ tenantId: command.tenantId, runId });
    return { runId, status: 'pending' };
  }

  /** Tells the orchestrators, as the relay does. */
  async job(run: RunKey, body: JsonValue = { ...run }): Promise<void> {
    const id = `advance:spec-${(this.#jobs += 1)}`;
    await this.stores.bus.publish(STREAMS.advance, { id, subject: advanceSubject(run.tenantId), body });
  }

  resolve(key: RunKey, nodeId: string, resumeValue: JsonValue): Promise<RunStatusAnswer> {
    const command = { ...key, nodeId, resumeValue, decidedBy: 'key-1' };
    return this.#command(key, (state) =>
      resolveInterrupt(command as Parameters<typeof resolveInterrupt>[0], state),
    );
  }

  cancelRun(command: CancelRun): Promise<RunStatusAnswer> {
    return this.#command(command, (state) => cancelRun(command, state));
  }

  /** Records what another part of the host would. */
  note(key: RunKey, event: Omit<NewRunEvent, 'schemaVersion'>): Promise<RunStatusAnswer> {
    return this.#command(key, () => [{ ...event, schemaVersion: 1 }]);
  }

  header({ tenantId, runId }: RunKey): Promise<RunHeader | undefined> {
    return this.stores.eventLog.header(tenantId, runId);
  }

  async events(key: RunKey): Promise<readonly RecordedEvent[]> {
    return (await this.stores.eventLog.readRun({ ...key, fromSequence: 0 })).events;
  }

  later(milliseconds: number): void {
    this.now = new Date(this.now.getTime() + milliseconds);
  }

  async #command(
    key: RunKey,
    decide: (state: WorkflowRunState) => readonly NewRunEvent[],
  ): Promise<RunStatusAnswer> {
    for (;;) {
      const header = await this.header(key);
      if (!header) throw new NotFoundError('The run');
      const events = decide(header.state as unknown as WorkflowRunState);
      if (events.length === 0) return { runId: key.runId, status: header.status };
      try {
        return await this.#append(key, header, { events });
      } catch (error) {
        if (!hasCode(error, 'sequence_conflict')) throw error;
      }
    }
  }

  async #append(
    { tenantId, runId }: RunKey,
    header: RunHeader | undefined,
    { events, workflowId }: { readonly events: readonly NewRunEvent[]; readonly workflowId?: string },
  ): Promise<RunStatusAnswer> {
    const first = (header?.head ?? -1) + 1;
    const timestamp = this.now.toISOString();
    const state = events.reduce<WorkflowRunState | undefined>(
      (before, event, place) => foldWorkflowRun(before, { ...event, sequence: first + place, timestamp }),
      header && (header.state as unknown as WorkflowRunState),
    ) as WorkflowRunState;
    const status = runStatusOf(state);
    await this.stores.eventLog.append({
      tenantId,
      runId,
      expectedHead: header ? header.head : 'no-run',
      events,
      at: this.now,
      header: { status, state: state as unknown as JsonObject },
      ...(workflowId !== undefined && { workflowId }),
    });
    return { runId, status };
  }
}
