import { MemoryEventLog } from '@palimpsest/adapter-memory';
import { isTerminalStatus, type RecordedEvent, type WorkflowRunState } from '@palimpsest/contracts';
import type { DurableMessage, RacePoints } from '@palimpsest/kernel';
import { waitingNode } from '@palimpsest/workflow';
import fc from 'fast-check';
import { MemoryDefinitionStore } from '../definitions/memory-definition-store.js';
import type { ExecutionPorts, RunKey } from '../orchestrator-ports.js';
import { loopWith, registerWorkflow } from '../testing/register-workflow.js';
import { replayOf } from '../testing/replay-of.js';
import { WorkflowHarness } from '../testing/workflow-harness.js';
import { MemoryTimerStore } from '../timers/memory-timer-store.js';
import { advanceRun } from './advance-run.js';

const at = { position: { x: 0, y: 0 }, inputs: {}, config: {} };
const asking = { questions: [{ id: 'answer', question: 'Which?' }] };

const workers = fc.array(fc.constantFrom('plain', 'asks', 'bad', 'unknown'), { minLength: 1, maxLength: 2 });
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
const kills = fc.uniqueArray(fc.nat(30), { maxLength: 8 }).map((places) => new Set(places));

class KilledError extends Error {}

/** A loop with its workers, all of it in memory, and jobs done in the order they came. */
class Host {
  readonly jobs: RunKey[] = [];
  readonly harness: WorkflowHarness;

  constructor() {
    const publish = (_stream: unknown, { body }: DurableMessage) => {
      this.jobs.push(body as unknown as RunKey);
      return Promise.resolve();
    };
    this.harness = new WorkflowHarness({
      eventLog: new MemoryEventLog(),
      bus: { publish } as unknown as WorkflowHarness['stores']['bus'],
      definitions: new MemoryDefinitionStore(),
      timers: new MemoryTimerStore(),
    });
  }

  async seed(script: readonly object[]): Promise<void> {
    const { harness } = this;
    await registerWorkflow(harness, 'plain', { nodes: [{ ...at, id: 'n', typeId: 'core.noop', name: 'n' }] });
    await registerWorkflow(harness, 'bad', { nodes: [{ ...at, id: 'n', typeId: 'core.fail', name: 'n' }] });
    await registerWorkflow(harness, 'asks', {
      nodes: [{ ...at, id: 'n', typeId: 'core.clarificationGate', name: 'n', config: asking }],
    });
    await registerWorkflow(harness, 'loop', loopWith({ mockDecisions: script as never }));
  }

  /** To its end, whoever is asked answers; `untilJobs`: jobs after which somebody cancels it. */
  async run(untilJobs: number): Promise<RunKey> {
    const key = await this.harness.start('loop');
    const known = new Set<string>();
    for (let round = 0; round < 500 && !(await this.hasEnded(key)); round += 1) {
      if (round === untilJobs) await this.harness.cancelRun({ ...key });
      const job = this.jobs.shift();
      if (job) {
        known.add(job.runId);
        await advanceRun(this.harness.ports(), job);
        continue;
      }
      for (const runId of known) await this.answer({ ...key, runId });
      this.jobs.push(key);
    }
    return key;
  }

  /** A replay of the first events, as far as it goes by itself, by orchestrators that die at some moments. */
  async replay(source: RunKey, count: number, { runId, dying }: Replay): Promise<readonly RecordedEvent[]> {
    const key = await replayOf(this.harness, source, { count, runId });
    for (let isDone = false; !isDone;) {
      isDone = await advanceRun(this.portsOfReplay(dying), key).then(
        () => true,
        (error: unknown) => {
          if (error instanceof KilledError) return false;
          throw error;
        },
      );
    }
    return this.harness.events(key);
  }

  private portsOfReplay(dying: Set<number>): ExecutionPorts {
    const outside = (): never => {
      throw new TypeError('A replay reached out.');
    };
    let reached = 0;
    const races: RacePoints = {
      reach: () => (
        (reached += 1),
        dying.delete(reached) ? Promise.reject(new KilledError()) : Promise.resolve()
      ),
    };
    return {
      ...this.harness.ports(races),
      bus: { publish: outside },
      childRuns: { startWorkflow: outside, cancelRun: outside },
    };
  }

  private async answer(key: RunKey): Promise<void> {
    const header = await this.harness.header(key);
    const waiting = header && waitingNode(header.state as unknown as WorkflowRunState);
    if (!waiting) return;
    const isQuestion = waiting.interrupt.kind === 'clarification';
    const value = isQuestion ? { answers: { answer: 'blue' } } : { action: 'accept' };
    await this.harness.resolve(key, waiting.nodeId, value);
    this.jobs.push(key);
  }

  private async hasEnded(key: RunKey): Promise<boolean> {
    const header = await this.harness.header(key);
    return header !== undefined && isTerminalStatus(header.status);
  }
}

type Replay = { readonly runId: string; readonly dying: Set<number> };

const told = (events: readonly RecordedEvent[]) =>
  events.map(({ type, nodeId, payload }) => ({ type, nodeId, payload }));

describe('a replay of a loop that was cut short anywhere', () => {
  it('goes on in one way, touches nothing outside, and comes to rest', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, fc.nat(12), kills, async (script, untilJobs, dying) => {
        const host = new Host();
        await host.seed(script);
        const source = await host.run(untilJobs);
        const events = await host.harness.events(source);
        const cancelled = events.findIndex(
          ({ type, payload }) => payload['reason'] === 'run-cancelled' || /cancel/.test(type),
        );
        const whole = cancelled < 0 ? events.length : cancelled;
        for (let count = 1; count <= whole; count += 1) {
          const one = await host.replay(source, count, { runId: `one-${count}`, dying: new Set() });
          const other = await host.replay(source, count, { runId: `other-${count}`, dying: new Set(dying) });
          expect(told(one)).toEqual(told(other));
          expect(told(one).slice(0, count)).toEqual(told(events).slice(0, count));
          const header = await host.harness.header({ ...source, runId: `one-${count}` });
          expect(['completed', 'failed', 'waiting-input', 'waiting-approval']).toContain(header?.status);
        }
        expect(await host.harness.events(source)).toEqual(events);
      }),
      { numRuns: 25 },
    );
  });
});
