import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, ApiClient } from './api-client.js';
import { round, type Message } from './conversation.js';
import type { WindowDocument } from './window-checks.js';

export type RequestKind = 'turns' | 'windows' | 'forks';

/** A run as one writer knows it: what was acknowledged, and every window it was given. */
export type WrittenRun = {
  readonly runId: string;
  readonly budget: number;
  /** By sequence, as the answer placed them. */
  readonly acknowledged: Map<number, Message>;
  readonly windows: Map<number, WindowDocument>;
};

/** A client takes its time between two requests. */
const THINK_MS = 25;

export const BUDGET = 500;

/** Stands in every text that the traffic sends. */
export const TRAFFIC_MARKER = 'quokka-lagoon';

/** Clients that go on through every fault: each request has an idempotency key and is asked until it is answered. */
export class Traffic {
  readonly runs: WrittenRun[] = [];
  readonly forks: string[] = [];
  /** Answers that nobody should get. */
  readonly surprises: string[] = [];
  acknowledged = 0;
  retries = 0;
  #stopping = false;
  #keys = 0;
  #work: readonly Promise<void>[] = [];
  readonly #inFlight = new Map<RequestKind, number>();

  constructor(
    private readonly api: ApiClient,
    /** Names this traffic's idempotency keys. */
    private readonly name: string,
  ) {}

  inFlight(kind: RequestKind): number {
    return this.#inFlight.get(kind) ?? 0;
  }

  /** Writers with a run each; `forksOf`: one more client forks that run in replay mode, and verifies. */
  start({ writers, forksOf }: { readonly writers: number; readonly forksOf?: string }): void {
    this.#work = [
      ...Array.from({ length: writers }, (_, index) => this.#untilStopped(this.#writing(index))),
      ...(forksOf === undefined ? [] : [this.#untilStopped(this.#forking(forksOf))]),
    ];
  }

  /** Resolves when every request has its answer. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#work);
  }

  /** A run with some rounds, outside of the writers' loops. */
  async writeRun(rounds: number): Promise<WrittenRun> {
    const run = await this.#create(this.runs.length);
    for (let number = 0; number < rounds; number += 1) await this.#round(run, number);
    return run;
  }

  async #untilStopped(steps: AsyncGenerator<void>): Promise<void> {
    try {
      while (!this.#stopping && !(await steps.next()).done) await pause(THINK_MS);
    } catch (error) {
      this.surprises.push(error instanceof Error ? error.message : String(error));
    }
  }

  async *#writing(index: number): AsyncGenerator<void> {
    const run = await this.#create(index);
    for (let number = 0; ; number += 1) yield* this.#steps(run, number);
  }

  async *#forking(source: string): AsyncGenerator<void> {
    for (;;) {
      const { runId } = await this.#ask('forks', 'POST', `/v1/runs/${source}:fork`, { mode: 'replay' });
      this.forks.push(String(runId));
      yield;
      await this.#ask('forks', 'GET', `/v1/runs/${String(runId)}/verification`);
      yield;
    }
  }

  async #round(run: WrittenRun, number: number): Promise<void> {
    const steps = this.#steps(run, number);
    while (!(await steps.next()).done);
  }

  async *#steps(run: WrittenRun, number: number): AsyncGenerator<void> {
    const marker = `${TRAFFIC_MARKER}-${this.name}-${this.runs.indexOf(run)}-${number}`;
    for (const messages of round(number, { marker })) {
      await this.#append(run, messages);
      yield;
      const last = messages.at(-1)?.role;
      if (last !== 'user' && last !== 'tool') continue;
      const window = await this.#ask('windows', 'POST', `/v1/runs/${run.runId}/windows`);
      run.windows.set(window.iteration, window);
      yield;
    }
  }

  async #create(index: number): Promise<WrittenRun> {
    const context = { transcriptTokenBudget: BUDGET, tokenCounter: 'o200k_base', keepLastTurns: 1 };
    const body = { workflowId: 'palimpsest-external', configurable: { context }, tags: [`writer-${index}`] };
    const { runId } = await this.#ask('turns', 'POST', '/v1/runs', body);
    const run: WrittenRun = { runId, budget: BUDGET, acknowledged: new Map(), windows: new Map() };
    this.runs.push(run);
    return run;
  }

  async #append(run: WrittenRun, messages: readonly Message[]): Promise<void> {
    const { eventIds } = await this.#ask('turns', 'POST', `/v1/runs/${run.runId}/turns`, { messages });
    for (const [index, message] of messages.entries()) {
      run.acknowledged.set(Number(String(eventIds[index]).split('-').at(-1)), message);
    }
  }

  async #ask(kind: RequestKind, method: string, path: string, body?: object): Promise<Answer['json']> {
    const parts = { idempotencyKey: `${this.name}-${(this.#keys += 1)}`, ...(body && { body }) };
    this.#inFlight.set(kind, this.inFlight(kind) + 1);
    try {
      const { answer, retries } = await this.api.persistently(() =>
        this.api.request(method, path, method === 'POST' ? parts : {}),
      );
      this.retries += retries;
      this.acknowledged += 1;
      return await this.api.ok(Promise.resolve(answer));
    } finally {
      this.#inFlight.set(kind, this.inFlight(kind) - 1);
    }
  }
}
