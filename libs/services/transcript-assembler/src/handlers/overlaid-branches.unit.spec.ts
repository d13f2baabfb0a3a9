import {
  CONTEXT_STRATEGIES,
  CONTEXT_SUMMARIZED,
  placeOfEventId,
  RUN_OVERLAID,
  TOKEN_COUNTERS,
  WINDOW_PLANNED,
  type ContextSettings,
  windowPlannedSchema,
  type MessageContent,
  type RecordedEvent,
  type RunOverlay,
  type Usage,
  type UsageRow,
  type WindowPlan,
} from '@palimpsest/contracts';
import { hasCode } from '@palimpsest/kernel';
import { shapeBudget } from '@palimpsest/transcript';
import fc from 'fast-check';
import { transcriptRow } from '../domain/transcript-row.js';
import { groupTurns } from '../domain/turn.js';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';
import { LoopHarness } from '../testing/loop-harness.js';
import { pinAdded, pinRemoved } from '../testing/pin-events.js';
import { failedChecks, seenWindow } from '../testing/window-checks.js';
import type { AssemblerHandlers } from './answer-requests.js';

const BRANCH = { ...RUN, runId: 'run_branch' };
/** Code points to a token, roughly. */
const CHARS = 4;

type Act = 'say' | 'call' | 'result' | 'pin' | 'unpin' | 'instruct';
type Step = { readonly act: Act; readonly words: number; readonly window: boolean };

const settingsArbitrary: fc.Arbitrary<ContextSettings> = fc
  .record({
    tokens: fc.integer({ min: 200, max: 1500 }),
    tokenCounter: fc.constantFrom(...TOKEN_COUNTERS),
    keepLastTurns: fc.integer({ min: 0, max: 3 }),
    strategy: fc.constantFrom(...CONTEXT_STRATEGIES),
    transcriptWindow: fc.option(fc.integer({ min: 9, max: 20 }), { nil: undefined, freq: 4 }),
  })
  .map(({ tokens, transcriptWindow, ...settings }) => ({
    ...settings,
    transcriptTokenBudget: settings.tokenCounter === 'chars' ? tokens * CHARS : tokens,
    ...(transcriptWindow !== undefined && { transcriptWindow }),
  }))
  .filter((settings) => shapeBudget(settings).feasible);

const stepsArbitrary = (minLength: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      act: fc.oneof(
        { weight: 8, arbitrary: fc.constant<Act>('say') },
        { weight: 3, arbitrary: fc.constant<Act>('call') },
        { weight: 4, arbitrary: fc.constant<Act>('result') },
        { weight: 1, arbitrary: fc.constantFrom<Act>('pin', 'unpin', 'instruct') },
      ),
      words: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 700 })),
      window: fc.boolean(),
    }),
    { minLength, maxLength },
  );

/** Anywhere, or by a summary: inside the range that it stands for, right before it, at it, behind it. */
type Place = { readonly at: number; readonly bySummary: number | undefined };

const placeArbitrary: fc.Arbitrary<Place> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bySummary: fc.option(fc.constantFrom(-4, 0, 1, 2, 3), { nil: undefined, freq: 2 }),
});

function sequenceAt({ at, bySummary }: Place, events: readonly RecordedEvent[]): number {
  const summaries = events.filter(({ type }) => type === CONTEXT_SUMMARIZED);
  const summary = summaries[Math.floor(at * (summaries.length - 1))];
  const sequence =
    bySummary !== undefined && summary ? summary.sequence + bySummary : at * (events.length - 1);
  return Math.min(events.length, Math.max(1, Math.ceil(sequence)));
}

/** A conversation whose calls may stay open for long. */
class Conversation {
  readonly #open: string[] = [];
  readonly #pins: string[] = [];
  #turn = 0;

  constructor(private readonly harness: AssemblerHarness) {}

  async play({ act, words }: Step): Promise<void> {
    this.#turn += 1;
    if (act === 'pin') return this.pin();
    if (act === 'unpin') return this.unpin();
    await this.harness.say(this.message(act, words));
  }

  private message(act: Act, words: number): MessageContent {
    const text = `Step ${this.#turn}: ticket OPS-${1000 + this.#turn} is due. ${'日本 and so on '.repeat(words)}`;
    if (act === 'instruct') return { role: 'system', text };
    if (act === 'call') {
      const ids = [`a${this.#turn}`, `b${this.#turn}`];
      this.#open.push(...ids);
      const toolCalls = ids.map((id) => ({ id, name: 'look', arguments: '{"at":"it"}' }));
      return { role: 'assistant', text: '', toolCalls };
    }
    const toolCallId = act === 'result' ? this.#open.shift() : undefined;
    return toolCallId === undefined ? { role: 'user', text } : { role: 'tool', text, toolCallId };
  }

  private async pin(): Promise<void> {
    const pinId = `pin_${this.#turn}`;
    this.#pins.push(pinId);
    const { artifacts, run } = this.harness;
    await this.harness.record(await pinAdded(artifacts, { ...run, pinId, text: 'Never on Fridays.' }));
  }

  private async unpin(): Promise<void> {
    const pinId = this.#pins.shift();
    if (pinId !== undefined) await this.harness.record(pinRemoved(pinId));
  }
}

/** Undefined where pins leave no room, which is told as such. */
async function askFor(handlers: AssemblerHandlers, run: typeof RUN): Promise<WindowPlan | undefined> {
  try {
    return await handlers.planWindow.handle({ ...run, asOfSequence: 0 });
  } catch (error) {
    if (!hasCode(error, 'context_budget_infeasible')) throw error;
    return undefined;
  }
}

async function played(
  harness: AssemblerHarness,
  handlers: AssemblerHandlers,
  steps: readonly Step[],
): Promise<WindowPlan[]> {
  const conversation = new Conversation(harness);
  const plans: WindowPlan[] = [];
  for (const step of steps) {
    await conversation.play(step);
    const plan = step.window ? await askFor(handlers, harness.run) : undefined;
    if (plan) plans.push(plan);
  }
  return plans;
}

/** What does not hang on the order of turns: in an own loop a turn is more than an event. */
const CHECKS_OF_ANY_WINDOW = new Set([2, 3, 4, 6, 7, 8, 9]);

/** `tailFrom`: of the last window of the source, as what has left that one is not brought back. */
async function expectLegal(
  harness: AssemblerHarness,
  plan: WindowPlan,
  { settings, tailFrom }: { readonly settings: ContextSettings; readonly tailFrom: number },
): Promise<void> {
  const events = await harness.events();
  const seen = await seenWindow(plan, harness.artifacts, RUN.tenantId);
  expect(failedChecks(seen, events, settings).filter((check) => CHECKS_OF_ANY_WINDOW.has(check))).toEqual([]);
  const rows = events
    .filter(({ sequence }) => sequence <= plan.window.asOfSequence)
    .flatMap((event) => transcriptRow(event, settings.tokenCounter) ?? []);
  const fed = new Set(plan.entries.map(({ sequence }) => sequence));
  const turns = groupTurns(rows);
  const isFed = ({ rows: [first] }: (typeof turns)[number]): boolean => fed.has(first?.sequence ?? -1);
  for (const turn of turns)
    expect(turn.rows.filter(({ sequence }) => fed.has(sequence))).toHaveLength(
      isFed(turn) ? turn.rows.length : 0,
    );
  const kept = turns.slice(-Math.max(1, settings.keepLastTurns));
  expect(kept.filter((turn) => turn.last >= tailFrom && !isFed(turn))).toEqual([]);
  expect(plan.entries.length - (plan.window.pins?.length ?? 0)).toBeLessThanOrEqual(
    entryLimit(plan, settings),
  );
}

function entryLimit(plan: WindowPlan, { transcriptWindow = Infinity }: ContextSettings): number {
  const elided = plan.entries.filter(({ form }) => form === 'elided').length;
  return transcriptWindow + elided;
}

function tailFromBelow(events: readonly RecordedEvent[], sequence: number): number {
  const last = events.slice(0, sequence).findLast(({ type }) => type === WINDOW_PLANNED);
  return last ? windowPlannedSchema.parse(last.payload).tailFromSequence : 0;
}

/** Every window of a run up to a place, with its texts. */
async function windowsOf(harness: AssemblerHarness, run: typeof RUN, below: number): Promise<unknown[]> {
  const handlers = harness.handlers();
  const windows: unknown[] = [];
  for (let iteration = 1; ; iteration += 1) {
    const plan = await handlers.readWindow.read({ ...run, iteration }).catch(() => undefined);
    if (!plan || (placeOfEventId(plan.eventId)?.sequence ?? 0) >= below) return windows;
    const { entries } = await seenWindow(plan, harness.artifacts, run.tenantId);
    const tokens = plan.entries.map((entry) => entry.tokens);
    windows.push({ window: plan.window, texts: entries.map(({ rendered }) => rendered), tokens });
  }
}

describe('windows of a branch with an overlay', () => {
  it(
    'obey its settings from its first on, whatever the source’s were and wherever it leaves',
    () =>
      fc.assert(
        fc.asyncProperty(
          settingsArbitrary,
          stepsArbitrary(10, 50),
          fc.record({ place: placeArbitrary, context: settingsArbitrary }),
          stepsArbitrary(3, 12),
          async (settings, before, { place, context }, after) => {
            const harness = new AssemblerHarness(settings);
            const handlers = harness.handlers({ deadlineMs: 1 });
            await harness.start();
            await played(harness, handlers, before);
            const events = await harness.events();
            const fromSeq = sequenceAt(place, events);
            const tailFrom = tailFromBelow(events, fromSeq);
            await harness.branch(BRANCH.runId, fromSeq, { context });
            const first = await askFor(handlers, BRANCH);
            const plans = [...(first ? [first] : []), ...(await played(harness, handlers, after))];
            for (const plan of plans) {
              expect(plan.window.tokenCounter).toBe(context.tokenCounter);
              await expectLegal(harness, plan, { settings: context, tailFrom });
            }
            for (const run of [BRANCH, RUN])
              expect(await harness.handlers().verifyRun.handle(run)).toMatchObject({ ok: true });
            const inherited = await windowsOf(harness, BRANCH, fromSeq);
            expect(inherited).toEqual(await windowsOf(harness, RUN, fromSeq));
          },
        ),
        { numRuns: 40 },
      ),
    240_000,
  );

  it('of a loop obey them, also where its fork point lies between a window and its decision', async () => {
    const settings = { ...PLAIN, tokenCounter: 'chars' as const, transcriptTokenBudget: 1400 };
    const loop = new LoopHarness(settings);
    await loop.start();
    const turn = async (iteration: number): Promise<void> => {
      await loop.decided(iteration, `${iteration} `.repeat(60));
      await loop.returned(`note ${iteration} `.repeat(30));
    };
    for (let iteration = 1; iteration <= 6; iteration += 1) {
      await loop.window(iteration);
      if (iteration < 6) await turn(iteration);
    }
    const inherited = await loop.window(6);
    await loop.branch(BRANCH.runId, (await loop.events()).length);
    expect((await loop.window(6)).window).toEqual(inherited.window);
    const context = { ...settings, transcriptTokenBudget: 600 };
    await loop.overlay({ context });
    const again = await loop.window(6);
    expect(again.window).toMatchObject({
      iteration: 6,
      unboundedTokenCount: inherited.window.unboundedTokenCount,
    });
    expect(again.window.tokenCount).toBeLessThanOrEqual(600);
    expect(inherited.window.tokenCount).toBeGreaterThan(600);
    expect(await loop.window(6)).toEqual(again);
    await turn(6);
    await loop.window(7);
    const handlers = loop.handlers();
    const read = await handlers.readWindow.read({ ...loop.run, iteration: 6 });
    expect(read.window).toEqual(again.window);
    await expectUsageOfEachTurn(loop, [1, 2, 3, 4, 5, 6, 7]);
    expect(await handlers.verifyRun.handle(loop.run)).toMatchObject({ ok: true, windowsChecked: 8 });
    expect(await handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true, windowsChecked: 6 });
  });

  it('of a loop count anew where the host counts in another unit by now', async () => {
    const loop = new LoopHarness(PLAIN);
    await loop.start();
    await loop.window(1);
    await loop.decided(1, 'first');
    await loop.returned('found');
    await loop.window(2);
    await loop.decided(2, 'second');
    const events = await loop.events();
    const counted = events.reduce((sum, { counts }) => sum + (counts?.chars ?? 0), 0);
    await loop.branch(BRANCH.runId, events.length);
    const context = { ...PLAIN, tokenCounter: 'chars' as const, transcriptTokenBudget: 2000 };
    await loop.overlay({ context, transcriptTokens: counted, instructionTokens: 0 });
    await loop.returned('found more');
    const { window } = await loop.window(3);
    const all = (await loop.events()).reduce((sum, { counts }) => sum + (counts?.chars ?? 0), 0);
    expect(window).toMatchObject({ tokenCounter: 'chars', unboundedTokenCount: all, tokenCount: all });
    expect(window.totals).toEqual({ fedTokens: all, unboundedTokens: all, summaries: 0 });
    expect(await loop.handlers().verifyRun.handle(loop.run)).toMatchObject({ ok: true, windowsChecked: 3 });
  });
});

/** Page by page: each turn once, with the window that was fed, and in total what these add up to. */
async function expectUsageOfEachTurn(loop: LoopHarness, turns: readonly number[]): Promise<void> {
  const { reportUsage, readWindow } = loop.handlers();
  const rows: UsageRow[] = [];
  let total: Usage['total'] | undefined;
  for (const iteration of turns) {
    const page = await reportUsage.handle({ ...loop.run, fromIteration: iteration, limit: 1 });
    const { window } = await readWindow.read({ ...loop.run, iteration });
    expect(page.iterations).toMatchObject([{ iteration, fedTokens: window.tokenCount }]);
    expect(page.nextIteration).toBe(turns.includes(iteration + 1) ? iteration + 1 : undefined);
    rows.push(...page.iterations);
    ({ total } = page);
  }
  expect(await reportUsage.handle(loop.run)).toEqual({ iterations: rows, total });
  const sum = (of: 'fedTokens' | 'unboundedTokens' | 'summaries') =>
    rows.reduce((added, row) => added + row[of], 0);
  expect(total).toMatchObject({
    fedTokens: sum('fedTokens'),
    unboundedTokens: sum('unboundedTokens'),
    summaries: sum('summaries'),
  });
}

const PLAIN = {
  transcriptTokenBudget: 400,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'sliding-window',
} as const satisfies ContextSettings;

/** A run whose last window feeds a summary, and a branch at its head. */
async function summarized(overlay?: RunOverlay): Promise<{
  readonly harness: AssemblerHarness;
  readonly handlers: AssemblerHandlers;
  readonly last: WindowPlan;
}> {
  const harness = new AssemblerHarness(PLAIN);
  const handlers = harness.handlers({ deadlineMs: 1 });
  await harness.start();
  let last: WindowPlan | undefined;
  for (let turn = 0; !last || last.summarizedRanges.length === 0; turn += 1) {
    await harness.say({ role: 'user', text: `Ticket OPS-${1000 + turn} is due. `.repeat(12) });
    last = await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
  }
  await harness.branch(BRANCH.runId, (await harness.events()).length, overlay);
  return { harness, handlers, last };
}

const ask = (handlers: AssemblerHandlers) => handlers.planWindow.handle({ ...BRANCH, asOfSequence: 0 });

describe('the first window of a branch', () => {
  it('is the inherited one where nothing is laid over its settings, or nothing that windows hang on', async () => {
    for (const overlay of [undefined, { tags: ['other'], configurable: { model: 'm' } }]) {
      const { harness, handlers, last } = await summarized(overlay);
      const plan = await ask(handlers);
      expect(plan.window).toEqual(last.window);
      expect((await seenWindow(plan, harness.artifacts, RUN.tenantId)).entries.map(textOf)).toEqual(
        (await seenWindow(last, harness.artifacts, RUN.tenantId)).entries.map(textOf),
      );
      await harness.say({ role: 'user', text: 'go on' });
      expect((await ask(handlers)).window.iteration).toBe(last.window.iteration + 1);
    }
  });

  it('counts a summary again in another unit, and says so as long as it is fed', async () => {
    const context = { ...PLAIN, tokenCounter: 'chars' as const, transcriptTokenBudget: 8000 };
    const { harness, handlers, last } = await summarized({ context });
    const [sequence = -1] = last.window.summarySequences;
    const first = await ask(handlers);
    expect(first.window.iteration).toBe(last.window.iteration + 1);
    const tokens = first.entries.find(({ kind }) => kind === 'summary')?.tokens ?? 0;
    expect(tokens).toBeGreaterThan(last.entries.find(({ kind }) => kind === 'summary')?.tokens ?? Infinity);
    expect(first.window.recounted).toEqual([{ sequence, tokens }]);
    expect(first.window.totals).toMatchObject({ fedTokens: first.window.tokenCount, summaries: 1 });
    await harness.say({ role: 'user', text: 'go on' });
    const second = await harness
      .handlers({ deadlineMs: 1 })
      .planWindow.handle({ ...BRANCH, asOfSequence: 0 });
    expect(second.window.recounted).toEqual(first.window.recounted);
    expect(await handlers.verifyRun.handle(BRANCH)).toMatchObject({ ok: true });
  });

  it('does without the summary where strategy none evicts: what it stood for is gone', async () => {
    const { handlers, last } = await summarized({ context: { ...PLAIN, strategy: 'none' } });
    const plan = await ask(handlers);
    expect(plan.summarizedRanges).toEqual([]);
    const { fates } = await handlers.readWindow.explain({ ...BRANCH, iteration: plan.window.iteration });
    expect(fates.map(({ fate }) => fate)).toEqual(['evicted', 'fed']);
    const inherited = await handlers.readWindow.read({ ...BRANCH, iteration: last.window.iteration });
    expect(inherited.summarizedRanges).toHaveLength(1);
    expect(await handlers.verifyRun.handle(BRANCH)).toMatchObject({ ok: true });
  });

  it('makes a summary that is too large by now anew', async () => {
    const { handlers } = await summarized({ context: { ...PLAIN, transcriptTokenBudget: 100 } });
    const plan = await ask(handlers);
    expect(plan.window.tokenCount).toBeLessThanOrEqual(100);
    expect(await handlers.verifyRun.handle(BRANCH)).toMatchObject({ ok: true });
  });

  it('is not planned before its overlay is recorded, and then in its unit', async () => {
    const { harness, handlers } = await summarized();
    await harness.say({ role: 'user', text: 'no window yet' });
    const { head = -1, state = {} } = (await harness.log.header(RUN.tenantId, BRANCH.runId)) ?? {};
    const key = { tenantId: RUN.tenantId, runId: 'run_incomplete' };
    const origin = { runId: BRANCH.runId, fromSequence: head + 1, mode: 'branch' as const };
    const at = new Date('2026-01-01T00:00:00.000Z');
    const incomplete = { ...state, replayTarget: head + 1 };
    await harness.log.fork({ ...key, origin, at, status: 'pending', state: incomplete });
    const planned = () => handlers.planWindow.handle({ ...key, asOfSequence: 0 });
    await expect(planned()).rejects.toMatchObject({ code: 'run_not_active' });
    const context = { ...PLAIN, tokenCounter: 'chars' as const, transcriptTokenBudget: 1600 };
    const overlaid = { type: RUN_OVERLAID, schemaVersion: 1, payload: { context } };
    const complete = { status: 'running' as const, state: { ...state, context } };
    await harness.log.append({ ...key, expectedHead: head, at, events: [overlaid], header: complete });
    const plan = await planned();
    expect(plan.window).toMatchObject({ tokenCounter: 'chars' });
    expect(plan.window.tokenCount).toBe(plan.entries.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  it('is found out where a recorded window is not what its settings make of it', async () => {
    const { harness, handlers } = await summarized({ context: { ...PLAIN, transcriptTokenBudget: 380 } });
    await ask(handlers);
    const forged = 'run_forged';
    const events = await harness.events();
    const overlaid = events.findIndex(({ type }) => type === RUN_OVERLAID);
    const origin = { runId: BRANCH.runId, fromSequence: overlaid, mode: 'branch' as const };
    const at = new Date('2026-01-01T00:00:00.000Z');
    const key = { tenantId: RUN.tenantId, runId: forged };
    const state = (await harness.log.header(RUN.tenantId, BRANCH.runId))?.state ?? {};
    await harness.log.fork({ ...key, origin, at, status: 'running', state });
    const tighter = { context: { ...PLAIN, transcriptTokenBudget: 120 } };
    const rest = events.slice(overlaid).map(({ type, payload, schemaVersion, counts }) => ({
      type,
      payload: type === RUN_OVERLAID ? tighter : payload,
      schemaVersion,
      ...(counts && { counts }),
    }));
    await harness.log.append({ ...key, expectedHead: overlaid - 1, at, events: rest });
    const { ok, firstDifference } = await handlers.verifyRun.handle(key);
    expect({ ok, at: (firstDifference?.sequence ?? -1) > overlaid }).toEqual({ ok: false, at: true });
  });
});

function textOf({ rendered }: { readonly rendered: string }): string {
  return rendered;
}
