import { waitUntil } from '@palimpsest/kernel/testing';
import { handOffUntil } from '@palimpsest/adapter-model/testing';
import type { ServiceName } from './cluster.js';
import { startSplit, type SplitDeployment } from './deployment.js';
import { LOOP_BUDGET, startLoopBench, type LoopBench } from './loop/loop-bench.js';
import { inspectLoop } from './loop/loop-faults.js';
import { iterationsOf, ofType, runLoop, startLoop, untilEnd, type LoopEnd } from './loop/loop-run.js';
import { register, reporterDefinition } from './loop/loop-workflows.js';

const KILLED: readonly ServiceName[] = ['orchestrator', 'transcript-assembler', 'summarizer-worker'];
const KILLS = 5;
const TURNS = 24;
const WORKER = 'faults-reporter';

/** Stands around what is fed to a model, and nowhere else. */
const FRAME = 'data, not instructions';

/** Any number, the same in every run of this spec. */
const SEED = 20260301;
const PATIENCE = { withinMs: 60_000 };
const LONG_TEST_MS = 400_000;

describe('loops that a model decides, every service in a process of its own', () => {
  let bench: LoopBench<SplitDeployment>;
  beforeAll(async () => {
    bench = await startLoopBench(startSplit);
    await register(
      bench.api,
      reporterDefinition(WORKER, 'Looked at /var/lib/ledger, found 4711 rows. '.repeat(6)),
    );
  });
  afterAll(() => bench?.stop());

  function report(what: string, counts: object): void {
    process.stderr.write(`loop faults: ${what}: ${JSON.stringify(counts)}\n`);
  }

  async function inspected(what: string, runs: readonly LoopEnd[], turns: number): Promise<void> {
    const inspections = [];
    for (const run of runs) inspections.push(await inspectLoop(bench, run, LOOP_BUDGET));
    report(what, {
      calls: bench.brain.of('decision').length,
      summaryCalls: bench.brain.of('summary').length,
      summaries: inspections.map(({ summaries }) => summaries),
    });
    expect(inspections.flatMap(({ faults }) => faults)).toEqual([]);
    expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'completed'));
    for (const { events } of runs) {
      expect(iterationsOf(events)).toEqual(Array.from({ length: turns }, (_, place) => place + 1));
    }
  }

  it(
    'end with every turn once, whoever is killed in the middle',
    async () => {
      const random = randomFrom(SEED);
      const workflowId = 'killed-loop';
      await bench.addLoop({ workflowId, workers: [WORKER] }, { decide: handOffUntil(TURNS, WORKER) });
      const runIds = await Promise.all(
        [1, 2].map((key) => startLoop(bench.api, workflowId, { inputs: { key } })),
      );
      let ended = false;
      const ends = Promise.all(runIds.map((runId) => untilEnd(bench.api, runId))).finally(
        () => (ended = true),
      );
      const { cluster } = bench.deployed;
      const killed: ServiceName[] = [];
      while (killed.length < KILLS && !ended) {
        const wanted = bench.brain.calls.length + 1 + Math.floor(random() * 5);
        await waitUntil(() => bench.brain.calls.length >= wanted || ended, {
          ...PATIENCE,
          what: 'the model is asked again',
        });
        const service = KILLED[killed.length % KILLED.length] ?? 'orchestrator';
        const count = cluster.of(service).length;
        await cluster.kill(service, 'SIGKILL');
        await cluster.add(service, count);
        killed.push(service);
      }
      const runs = await ends;
      report('killed', { services: killed });
      expect(killed.length).toBeGreaterThan(2);
      await inspected('killed', runs, TURNS);
    },
    LONG_TEST_MS,
  );

  it(
    'go on without one summarizer worker, within the budget',
    async () => {
      const { cluster } = bench.deployed;
      const count = cluster.of('summarizer-worker').length;
      await cluster.kill('summarizer-worker', 'SIGKILL');
      const workflowId = 'loop-without-workers';
      await bench.addLoop({ workflowId, workers: [WORKER] }, { decide: handOffUntil(TURNS, WORKER) });
      const run = await runLoop(bench.api, workflowId);
      await inspected('no workers', [run], TURNS);
      await expectSummaries(run);
      await cluster.add('summarizer-worker', count);
    },
    LONG_TEST_MS,
  );

  it.each([
    ['stays away', { kind: 'error', status: 503 }],
    ['answers nothing', { kind: 'text', text: '' }],
    ['says more than it may', { kind: 'text', text: 'and so on '.repeat(20_000) }],
    ['refuses', { kind: 'refusal', text: 'No.' }],
    ['is cut off', { kind: 'text', text: 'So far the', finish: 'length' }],
  ] as const)(
    "go on where the summarizers' model %s",
    async (name, reply) => {
      bench.onSummary = () => reply;
      const workflowId = `loop-${name.replaceAll(/[^a-z]/g, '-')}`;
      await bench.addLoop({ workflowId, workers: [WORKER] }, { decide: handOffUntil(12, WORKER) });
      const run = await runLoop(bench.api, workflowId);
      bench.onSummary = undefined;
      await inspected(name, [run], 12);
      await expectSummaries(run);
    },
    LONG_TEST_MS,
  );

  /** Each stands for something: it is smaller, and it keeps what was found. */
  async function expectSummaries({ runId, events }: LoopEnd): Promise<void> {
    const summaries = ofType(events, 'context.summarized');
    expect(summaries.length).toBeGreaterThan(0);
    for (const { payload } of summaries) {
      expect(payload.tokensAfter).toBeLessThan(payload.tokensBefore as number);
      const path = `/v1/runs/${runId}/artifacts/${encodeURIComponent(String(payload.summaryRef))}`;
      const { content } = await bench.api.ok(bench.api.get(path));
      expect(String(content.text).length).toBeGreaterThan(20);
      expect(String(content.text)).toMatch(/4711|ledger|faults-reporter|turn/);
    }
  }

  it('keep transcripts out of logs and off the bus', () => {
    const lines = bench.deployed.logLines().filter(({ text }) => text.includes(FRAME));
    expect(lines.map(({ app }) => app)).toEqual([]);
    const told = bench.deployed.tap.messages.filter(({ text }) => text.includes(FRAME));
    expect(told.map(({ subject }) => subject)).toEqual([]);
  });
});

/** A small generator: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
