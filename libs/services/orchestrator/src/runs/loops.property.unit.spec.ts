import { MemoryEventLog } from '@palimpsest/adapter-memory';
import {
  isTerminalEventType,
  isTerminalStatus,
  ORCHESTRATOR_DECIDED,
  WORKFLOW_CHAIN_EVENT,
  type RecordedEvent,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { silentLogger, type DurableMessage, type RacePoints } from '@palimpsest/kernel';
import { waitingNode } from '@palimpsest/workflow';
import fc from 'fast-check';
import { HOST } from '../definitions/definition-store.js';
import { MemoryDefinitionStore } from '../definitions/memory-definition-store.js';
import { workflowVersionOf } from '../definitions/workflow-version.js';
import type { RunKey } from '../orchestrator-ports.js';
import { definitionOf } from '../testing/definitions.js';
import { expectSoundLog } from '../testing/expect-sound-log.js';
import { WorkflowHarness } from '../testing/workflow-harness.js';
import { MemoryTimerStore } from '../timers/memory-timer-store.js';
import { advanceRun } from './advance-run.js';

const NODE = { name: 'n', position: { x: 0, y: 0 }, inputs: {} };
const one = (typeId: string, config: WorkflowDefinition['nodes'][number]['config'] = {}) => ({
  nodes: [{ ...NODE, id: 'n', typeId, config }],
});

/** Workers: at once, later, after an answer, by others, never well, unknown. */
const WORKERS: Readonly<Record<string, Partial<WorkflowDefinition>>> = {
  plain: one('core.noop'),
  rich: { ...one('core.identity'), variables: [{ name: 'out', type: 'string', defaultValue: 'value' }] },
  slow: one('core.delay', { delayMs: 7000 }),
  asking: one('core.clarificationGate', { questions: [{ id: 'answer', question: 'Which?' }] }),
  nested: loopOf([{ kind: 'next-worker', nextWorkerIds: ['rich'] }, { kind: 'terminate' }]),
  bad: one('core.fail'),
};

function loopOf(mockDecisions: readonly object[]): Partial<WorkflowDefinition> {
  const config = { mockDecisions } as unknown as WorkflowDefinition['nodes'][number]['config'];
  return {
    nodes: [
      { ...NODE, id: 's', typeId: 'core.orchestrator.supervisor', config },
      { ...NODE, id: 'd', typeId: 'core.dispatch', config: { outputMapping: { shared: 'out' } } },
    ],
    edges: [
      { id: 'e1', sourceNodeId: 's', targetNodeId: 'd' },
      { id: 'e2', sourceNodeId: 'd', targetNodeId: 's' },
    ],
  };
}

const workers = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom('plain', 'rich', 'slow', 'asking', 'nested') },
    { weight: 1, arbitrary: fc.constantFrom('bad', 'unknown') },
  ),
  { minLength: 1, maxLength: 2 },
);
const scripts = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: workers.map((nextWorkerIds) => ({ kind: 'next-worker', nextWorkerIds })) },
    { weight: 1, arbitrary: fc.constant({ kind: 'ask-user', prompt: 'Which?' }) },
    {
      weight: 1,
      arbitrary: fc.constant({ kind: 'next-worker', nextWorkerIds: ['plain'], confidence: 0.2 }),
    },
  ),
  { minLength: 1, maxLength: 3 },
);

class KilledError extends Error {}

/** A host whose processes die again and again, and whose jobs are done in any order. */
class FragileHost {
  readonly definitions = new MemoryDefinitionStore();
  readonly timers = new MemoryTimerStore();
  readonly jobs: RunKey[] = [];
  readonly known = new Set<string>();
  readonly harness: WorkflowHarness;
  #reached = 0;

  /** `kills`: which of the moments, counted from the start, somebody dies at. */
  constructor(
    readonly kills: ReadonlySet<number>,
    readonly pick: (most: number) => number,
  ) {
    const publish = (_stream: unknown, { body }: DurableMessage) => {
      this.jobs.push(body as unknown as RunKey);
      return Promise.resolve();
    };
    const bus = { publish } as unknown as WorkflowHarness['stores']['bus'];
    const { definitions, timers } = this;
    this.harness = new WorkflowHarness({ eventLog: new MemoryEventLog(), bus, definitions, timers });
  }

  async seed(script: readonly object[]): Promise<void> {
    for (const [id, changes] of Object.entries({ ...WORKERS, loop: loopOf(script) })) {
      await this.definitions.put({
        ...workflowVersionOf(definitionOf(id, changes)),
        owner: HOST,
        fixture: false,
      });
    }
  }

  get races(): RacePoints {
    return {
      reach: () => {
        this.#reached += 1;
        return this.kills.has(this.#reached) ? Promise.reject(new KilledError()) : Promise.resolve();
      },
    };
  }

  async step(): Promise<void> {
    const [job] = this.jobs.splice(this.pick(this.jobs.length), 1);
    if (!job) return this.wait();
    this.known.add(job.runId);
    try {
      await advanceRun({ ...this.harness.ports(), races: this.races, logger: silentLogger }, job);
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
      // Not acknowledged: it is delivered again.
      this.jobs.push(job);
    }
  }

  /** Everybody who is asked answers; then time goes on. */
  async wait(): Promise<void> {
    for (const runId of this.known) await this.answer({ tenantId: 'acme', runId });
    this.harness.later(1000);
    const now = this.harness.now;
    this.jobs.push(...(await this.timers.claimDue({ now, claimedUntil: now, limit: 100 })));
  }

  async answer(key: RunKey): Promise<void> {
    const header = await this.harness.header(key);
    const waiting = header && waitingNode(header.state as unknown as WorkflowRunState);
    if (!waiting) return;
    const isQuestion = waiting.interrupt.kind === 'clarification';
    const value = isQuestion ? { answers: { answer: 'blue' } } : { action: 'accept' };
    await this.harness.resolve(key, waiting.nodeId, value);
    this.jobs.push(key);
  }

  async hasEnded(key: RunKey): Promise<boolean> {
    const header = await this.harness.header(key);
    return header !== undefined && isTerminalStatus(header.status);
  }
}

function childrenIn(events: readonly RecordedEvent[]): readonly string[] {
  return events
    .filter(({ type, payload }) => type === WORKFLOW_CHAIN_EVENT && payload['phase'] === 'dispatch.succeeded')
    .map(({ payload }) => payload['childRunId'] as string);
}

/** A run and all that it started: sound, ended, and no more than what its log names. */
async function expectSoundFamily(host: FragileHost, key: RunKey): Promise<readonly string[]> {
  const events = await host.harness.events(key);
  expectSoundLog(await host.harness.header(key), events);
  expect(isTerminalEventType(events.at(-1)?.type ?? '')).toBe(true);
  const iterations = events
    .filter(({ type }) => type === ORCHESTRATOR_DECIDED)
    .map(({ payload }) => payload['iteration']);
  expect(iterations).toEqual(iterations.map((_, place) => place + 1));
  const children = childrenIn(events);
  expect(new Set(children).size).toBe(children.length);
  const families = await Promise.all(children.map((runId) => expectSoundFamily(host, { ...key, runId })));
  return [key.runId, ...families.flat()];
}

/** Children end first; one that has not begun by then never does. */
async function expectNobodyAtWork(host: FragileHost, { tenantId }: RunKey): Promise<void> {
  for (const runId of host.known) {
    const header = await host.harness.header({ tenantId, runId });
    expect(header && (isTerminalStatus(header.status) || header.status === 'pending')).toBe(true);
  }
}

const kills = fc.uniqueArray(fc.nat(150), { maxLength: 40 }).map((places) => new Set(places));

describe('a loop on a host whose processes die', () => {
  async function play(host: FragileHost, script: readonly object[], cancelAfter: number): Promise<RunKey> {
    await host.seed(script);
    const key = await host.harness.start('loop');
    for (let round = 0; round < 1000 && !(await host.hasEnded(key)); round += 1) {
      if (round === cancelAfter) {
        await host.harness.cancelRun(key);
        host.jobs.push(key);
      }
      await host.step();
    }
    await expectNobodyAtWork(host, key);
    while (host.jobs.length > 0) await host.step();
    return key;
  }

  it('ends once, with all its children, and takes each step once', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, kills, fc.infiniteStream(fc.nat(1000)), async (script, dying, picks) => {
        const host = new FragileHost(dying, (most) => (picks.next().value ?? 0) % Math.max(1, most));
        const key = await play(host, script, -1);
        const family = await expectSoundFamily(host, key);
        expect([...host.known].sort()).toEqual([...family].sort());
      }),
      { numRuns: 100 },
    );
  });

  it('leaves no child behind where it is cancelled', async () => {
    await fc.assert(
      fc.asyncProperty(
        scripts,
        kills,
        fc.nat(25),
        fc.infiniteStream(fc.nat(1000)),
        async (script, dying, cancelAfter, picks) => {
          const host = new FragileHost(dying, (most) => (picks.next().value ?? 0) % Math.max(1, most));
          const key = await play(host, script, cancelAfter);
          await expectSoundFamily(host, key);
          for (const runId of host.known) expect(await host.hasEnded({ ...key, runId })).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});
