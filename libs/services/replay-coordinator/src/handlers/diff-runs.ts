import {
  diffRunsSchema,
  type DiffRuns,
  type FirstDivergence,
  type JsonValue,
  type RunDiff,
} from '@palimpsest/contracts';
import { parseRequest, type EventLog } from '@palimpsest/kernel';
import { comparedRun } from '../comparison/domain/compared-run.js';
import { relationOf } from '../comparison/domain/ancestry.js';
import { compareWindows } from '../comparison/compare-windows.js';
import { fedSaved, type FedRun } from '../comparison/fed-saved.js';
import { findAncestry } from '../comparison/find-ancestry.js';
import { firstDivergence, type ComparedPair, type Divergence } from '../comparison/first-divergence.js';
import { KnownEqual } from '../comparison/known-equal.js';
import { lastWindow, pairedWindows, windowAfter } from '../comparison/planned-windows.js';

const MOST_ROWS = 500;

/** Compares what two runs recorded. Nothing is derived again and no text is read. */
export class DiffRunsHandler {
  readonly #log: EventLog;
  readonly #known = new KnownEqual();

  constructor(eventLog: EventLog) {
    this.#log = eventLog;
  }

  async handle(body: JsonValue): Promise<JsonValue> {
    const query = parseRequest(diffRunsSchema, body);
    const pair = await this.#pairOf(query);
    const relation = relationOf(pair.run, pair.other);
    const divergence = await this.#divergenceOf(query, pair, relation.sharedEvents);
    const [windows, run, other] = await Promise.all([
      this.#windowsOf(query, pair, divergence),
      this.#fedBy(pair.run),
      this.#fedBy(pair.other),
    ]);
    const diff: RunDiff = {
      identical: divergence === undefined,
      relation,
      run: comparedRun(run.header, run.last),
      other: comparedRun(other.header, other.last),
      ...(divergence && { firstDivergence: await this.#withIteration(pair, divergence) }),
      ...windows,
      ...(await fedSaved(this.#log, run, other)),
    };
    return diff as unknown as JsonValue;
  }

  async #pairOf({ tenantId, runId, otherRunId }: DiffRuns): Promise<ComparedPair> {
    const run = await findAncestry(this.#log, tenantId, runId);
    // Of one run there is one head: two looks at one that is going on could see two.
    return { run, other: runId === otherRunId ? run : await findAncestry(this.#log, tenantId, otherRunId) };
  }

  async #divergenceOf(
    query: DiffRuns,
    pair: ComparedPair,
    sharedEvents: number,
  ): Promise<Divergence | undefined> {
    if (query.runId === query.otherRunId) return undefined;
    const from = Math.max(sharedEvents, this.#known.below(query));
    const divergence = await firstDivergence(this.#log, pair, from);
    const shorter = Math.min(pair.run.header.head, pair.other.header.head) + 1;
    this.#known.remember(query, divergence?.sequence ?? shorter);
    return divergence;
  }

  async #windowsOf(
    { fromIteration = 1, limit = MOST_ROWS }: DiffRuns,
    pair: ComparedPair,
    divergence: Divergence | undefined,
  ): Promise<Pick<RunDiff, 'windows' | 'nextIteration'>> {
    const request = { run: pair.run.header, other: pair.other.header, fromIteration, limit };
    const { pairs, nextIteration } = await pairedWindows(this.#log, request);
    const equalBelow = divergence?.sequence ?? Infinity;
    const windows = await compareWindows(this.#log, pair, { pairs, equalBelow });
    return { windows: [...windows], ...(nextIteration !== undefined && { nextIteration }) };
  }

  async #fedBy({ header }: ComparedPair['run']): Promise<FedRun> {
    return { header, last: await lastWindow(this.#log, header) };
  }

  async #withIteration({ run, other }: ComparedPair, divergence: Divergence): Promise<FirstDivergence> {
    const found = await Promise.all(
      [run, other].map(({ header }) => windowAfter(this.#log, header, divergence.sequence)),
    );
    const iterations = found.flatMap((window) => (window ? [window.window.iteration] : []));
    return { ...divergence, ...(iterations.length > 0 && { iteration: Math.min(...iterations) }) };
  }
}
