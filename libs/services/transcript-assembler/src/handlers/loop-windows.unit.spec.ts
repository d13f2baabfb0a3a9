import {
  CONTEXT_STRATEGIES,
  CONTEXT_SUMMARIZED,
  WINDOW_PLANNED,
  type ContextSettings,
  type RecordedEvent,
} from '@palimpsest/contracts';
import type { ArtifactStore, RacePoints } from '@palimpsest/kernel';
import { LOOP_TURN_TYPES, loopMessage, shapeBudget } from '@palimpsest/transcript';
import fc from 'fast-check';
import { shapeBeside } from '../domain/window-shape.js';
import { RUN } from '../testing/assembler-harness.js';
import { folded, LoopHarness, SUPERVISOR } from '../testing/loop-harness.js';
import { failedChecks, seenWindow } from '../testing/window-checks.js';

const SETTINGS: ContextSettings = {
  transcriptTokenBudget: 700,
  tokenCounter: 'chars',
  keepLastTurns: 1,
  strategy: 'sliding-window',
};

async function started(settings = SETTINGS): Promise<LoopHarness> {
  const loop = new LoopHarness(settings);
  await loop.start();
  return loop;
}

const note = (size: number): string => 'Ticket OPS-1742 waits for /srv/app.log. '.repeat(9000).slice(0, size);

/** Asks for a window, decides, and has a worker return something, turn by turn. */
async function turns(loop: LoopHarness, count: number, size = 90): Promise<void> {
  const first = ((await loop.state())?.loop?.iteration ?? 0) + 1;
  for (let iteration = first; iteration < first + count; iteration += 1) {
    await loop.window(iteration);
    await loop.decided(iteration, note(size));
    await loop.returned(note(size));
    await loop.completed(`${iteration}`);
  }
}

async function windowsOf(loop: LoopHarness): Promise<RecordedEvent[]> {
  return (await loop.events()).filter(({ type }) => type === WINDOW_PLANNED);
}

describe('planning the windows of an execution loop', () => {
  it('records an empty window before the first decision', async () => {
    const loop = await started();
    const { window, entries } = await loop.window(1);
    expect(entries).toEqual([]);
    expect(window).toMatchObject({ iteration: 1, tokenCount: 0, lastMessageSequence: -1, messageCount: 0 });
    expect(window).not.toHaveProperty('turns');
    expect(window).not.toHaveProperty('pins');
    expect(await windowsOf(loop)).toEqual([expect.objectContaining({ nodeId: SUPERVISOR })]);
  });

  it('feeds decisions, what workers return and outcomes, one turn each, and names what it stored itself', async () => {
    const loop = await started();
    await loop.window(1);
    await loop.decided(1, 'first');
    await loop.returned('found it');
    await loop.aside();
    await loop.completed('done');
    const { window, entries } = await loop.window(2);
    expect(entries.map(({ sequence, role, form }) => [sequence, role, form])).toEqual([
      [2, 'assistant', 'full'],
      [3, 'user', 'full'],
      [5, 'user', 'full'],
    ]);
    expect(window.turns?.map(({ sequence }) => sequence)).toEqual([2, 5]);
    expect(entries[1]?.artifactId).toBe((await loop.events())[3]?.payload['artifactId']);
    expect(window).toMatchObject({ lastMessageSequence: 5, messageCount: 3, instructionTokens: 0 });
    expect(window.tokenCount).toBe(window.unboundedTokenCount);
    const events = await loop.events();
    for (const { sequence, artifactId } of window.turns ?? []) {
      const stored = (await loop.assembler.artifacts.get(RUN.tenantId, [artifactId])).get(artifactId);
      expect(stored).toMatchObject({ type: 'message', content: loopMessage(events[sequence]!) });
    }
  });

  it('counts on from the last window', async () => {
    const loop = await started();
    await turns(loop, 9);
    const all = (await loop.events()).filter(({ counts }) => counts);
    const { window } = await loop.window(10);
    expect(window.messageCount).toBe(all.length);
    expect(window.unboundedTokenCount).toBe(all.reduce((sum, { counts }) => sum + (counts?.chars ?? 0), 0));
    expect(window.lastMessageSequence).toBe(all.at(-1)?.sequence);
  });

  it('answers the recorded window of its turn, whatever was appended since, also after a restart', async () => {
    const loop = await started();
    await turns(loop, 4);
    const plan = await loop.window(5);
    await loop.decided(5, 'more');
    expect(await loop.window(5)).toEqual(plan);
    expect(await loop.handlers().readWindow.read({ ...RUN, iteration: 5 })).toEqual(plan);
    expect(await windowsOf(loop)).toHaveLength(5);
  });

  it.each([1, 3, 6, 99])('refuses turn %i where the last window is that of turn 4', async (iteration) => {
    const loop = await started();
    await turns(loop, 4);
    await expect(loop.window(iteration)).rejects.toMatchObject({
      code: 'validation_error',
      details: { lastIteration: 4 },
    });
  });

  it('writes the state that the log folds to, in one append with the summaries', async () => {
    const loop = await started();
    await turns(loop, 12);
    const events = await loop.events();
    const summaries = events.filter(({ type }) => type === CONTEXT_SUMMARIZED);
    expect(summaries.length).toBeGreaterThan(0);
    for (const { sequence, nodeId } of summaries) {
      expect(nodeId).toBe(SUPERVISOR);
      expect([CONTEXT_SUMMARIZED, WINDOW_PLANNED]).toContain(events[sequence + 1]?.type);
    }
    expect(await loop.state()).toEqual(folded(undefined, events));
    await loop.window(13);
    expect(await loop.state()).toEqual(folded(undefined, await loop.events()));
  });

  it('stores a turn once, however often its window is planned', async () => {
    const loop = await started();
    await loop.window(1);
    await loop.decided(1, 'first');
    const death: RacePoints = { reach: () => Promise.reject(new Error('killed')) };
    const put = jest.spyOn(loop.assembler.artifacts, 'put');
    await expect(loop.window(2, loop.handlers({ races: death }))).rejects.toThrow('killed');
    const [[, , first] = []] = put.mock.calls;
    const { window } = await loop.window(2);
    expect(put.mock.calls.at(-1)?.[2]).toEqual(first);
    expect(first).toEqual([expect.objectContaining({ origin: 'loop:run_1:2', type: 'message' })]);
    expect(window.turns).toHaveLength(1);
  });

  it('takes in what is appended while it plans', async () => {
    const loop = await started();
    await loop.window(1);
    await loop.decided(1, 'first');
    let appended = false;
    const races: RacePoints = {
      reach: async () => {
        if (appended) return;
        appended = true;
        await loop.returned('meanwhile');
      },
    };
    const { entries } = await loop.window(2, loop.handlers({ races }));
    expect(entries.map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  it('stores and cuts nothing again after races that were lost, and reads only what is new', async () => {
    const loop = await started();
    await loop.window(1);
    await loop.decided(1, note(5000));
    let races = 0;
    const lost: RacePoints = {
      reach: async () => {
        races += 1;
        if (races < 20) await loop.aside();
        if (races === 5) await loop.completed('late');
      },
    };
    const handlers = loop.handlers({ races: lost });
    const put = jest.spyOn(loop.assembler.artifacts, 'put');
    const read = jest.spyOn(loop.assembler.log, 'readRun');
    const { entries, window } = await loop.window(2, handlers);
    expect(races).toBe(20);
    expect(entries.map(({ sequence, form }) => [sequence, form])).toEqual([
      [2, 'cut'],
      [8, 'full'],
    ]);
    expect(window.turns?.map(({ sequence }) => sequence)).toEqual([2, 8]);
    const stored = put.mock.calls.flatMap(([, , artifacts]) => artifacts.map(({ type }) => type));
    expect(stored.filter((type) => type === 'message')).toHaveLength(2);
    const cuts = put.mock.calls.map(([, , artifacts]) => JSON.stringify(artifacts));
    expect(new Set(cuts).size).toBe(cuts.length);
    expect(read.mock.calls.at(-1)?.[0].fromSequence).toBeGreaterThan(20);
  });

  it('stores a long stretch of turns in batches', async () => {
    const loop = await started({ ...SETTINGS, strategy: 'none' });
    for (let turn = 1; turn <= 405; turn += 1) await loop.completed(`note ${turn}`);
    const put = jest.spyOn(loop.assembler.artifacts, 'put');
    const { window } = await loop.window(1);
    expect(window.turns).toHaveLength(405);
    expect(put.mock.calls.map(([, , artifacts]) => artifacts.length)).toEqual([200, 200, 5]);
  });

  it('evicts without a summary where a budget is all there is', async () => {
    const loop = await started({ ...SETTINGS, strategy: 'none' });
    await turns(loop, 12);
    const events = await loop.events();
    expect(events.some(({ type }) => type === CONTEXT_SUMMARIZED)).toBe(false);
    const { fates } = await loop.handlers().readWindow.explain({ ...RUN, iteration: 12 });
    expect(fates.map(({ fate }) => fate)).toEqual(['evicted', 'fed']);
  });

  it('refuses a turn that is not named, and one of an own loop that is', async () => {
    const loop = await started();
    const request = { ...RUN, asOfSequence: 0 };
    const code = 'validation_error';
    await expect(loop.handlers().planWindow.handle(request)).rejects.toMatchObject({ code });
    const own = new LoopHarness(SETTINGS);
    await own.assembler.start();
    await expect(own.window(1)).rejects.toMatchObject({ code });
  });

  it('knows no windows of a loop without a budget', async () => {
    const loop = new LoopHarness(SETTINGS);
    await loop.start(null);
    await expect(loop.window(1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(loop.handlers().verifyRun.handle(RUN)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('plans nothing once the run has ended, but answers what stands', async () => {
    const loop = await started();
    const plan = await loop.window(1);
    await loop.assembler.log.append({
      ...RUN,
      expectedHead: 1,
      at: new Date(0),
      events: [{ type: 'run.completed', payload: { outputs: {} }, schemaVersion: 1 }],
      header: { status: 'completed' },
    });
    expect(await loop.window(1)).toEqual(plan);
    await expect(loop.window(2)).rejects.toMatchObject({ code: 'run_not_active' });
  });

  it('goes on from its source on a branch, wherever that starts', async () => {
    const source = await started();
    await turns(source, 10);
    const events = await source.events();
    const summarized = events.find(({ type }) => type === CONTEXT_SUMMARIZED)?.sequence ?? -1;
    for (const from of [1, 2, 3, summarized, summarized + 1, summarized + 2, events.length]) {
      const branch = await started();
      await turns(branch, 10);
      await branch.branch(`run_from_${from}`, from);
      const next = (await windowsOf(branch)).length + 1;
      const { window } = await branch.window(next);
      expect(window.tokenCount).toBeLessThanOrEqual(SETTINGS.transcriptTokenBudget);
      const handlers = branch.handlers();
      expect(await handlers.verifyRun.handle(branch.run)).toMatchObject({ ok: true, windowsChecked: next });
      expect((await handlers.readWindow.read({ ...branch.run, iteration: next })).window).toEqual(window);
      const { iterations } = await handlers.reportUsage.handle(branch.run);
      expect(iterations).toHaveLength(next);
    }
  });

  it('forgets what a worker returned with all that derives from it, and plans on', async () => {
    const loop = await started();
    await loop.window(1);
    await loop.decided(1, 'first');
    const artifactId = await loop.returned(note(900));
    const { entries } = await loop.window(2);
    const cut = entries.find(({ messageArtifactId }) => messageArtifactId === artifactId);
    expect(cut?.form).toBe('cut');
    await loop.decided(2, 'second');
    await turns(loop, 8);
    const told = (await loop.events()).find(
      ({ type, payload }) =>
        type === CONTEXT_SUMMARIZED && (payload['replacedTurns'] as string[]).includes(cut?.eventId ?? ''),
    );
    const erased = await loop.assembler.artifacts.erase(RUN.tenantId, artifactId);
    expect(erased).toEqual(
      expect.arrayContaining([artifactId, cut?.artifactId, told?.payload['summaryRef']]),
    );
    await turns(loop, 3);
    const { window } = await loop.window(14);
    expect(window.tokenCount).toBeLessThanOrEqual(SETTINGS.transcriptTokenBudget);
  });

  it('names content of a worker that was erased before it was fed, and says so when it is derived again', async () => {
    const loop = await started();
    await loop.window(1);
    await loop.decided(1, 'first');
    const artifactId = await loop.returned('short');
    await loop.assembler.artifacts.erase(RUN.tenantId, artifactId);
    const { entries } = await loop.window(2);
    expect(entries[1]).toMatchObject({ sequence: 3, form: 'full', artifactId });
    expect(await loop.handlers().verifyRun.handle(RUN)).toMatchObject({
      ok: false,
      firstDifference: { iteration: 2, sequence: 3, what: 'its content is erased' },
    });
  });

  it.each([
    ['counts other than its event says', { role: 'user', text: '?' }],
    ['is missing', undefined],
  ])('finds content of a worker that %s', async (_what, content) => {
    const loop = await started();
    await loop.window(1);
    const artifactId = await loop.returned('short');
    await loop.window(2);
    const { artifacts } = loop.assembler;
    const otherwise = Object.assign(Object.create(artifacts) as ArtifactStore, {
      get: async (tenantId: string, ids: readonly string[]) => {
        const readings = new Map(await artifacts.get(tenantId, ids));
        const reading = readings.get(artifactId);
        if (content && reading) readings.set(artifactId, { ...reading, content });
        else readings.delete(artifactId);
        return readings;
      },
    });
    const handlers = loop.handlers({ assembler: { artifactStore: otherwise } });
    expect((await handlers.verifyRun.handle(RUN)).firstDifference).toMatchObject({
      iteration: 2,
      sequence: 2,
      what: expect.stringContaining('its content') as string,
    });
  });

  it('finds a turn that is stored otherwise than its event says', async () => {
    const loop = await started();
    await turns(loop, 2);
    await loop.window(3);
    const { artifacts } = loop.assembler;
    const otherwise = Object.assign(Object.create(artifacts) as ArtifactStore, {
      get: async (tenantId: string, ids: readonly string[]) => {
        const readings = await artifacts.get(tenantId, ids);
        return new Map(
          [...readings].map(([id, reading]) => [id, { ...reading, content: { role: 'user', text: '?' } }]),
        );
      },
    });
    const handlers = loop.handlers({ assembler: { artifactStore: otherwise } });
    expect((await handlers.verifyRun.handle(RUN)).firstDifference).toMatchObject({
      iteration: 2,
      sequence: 2,
    });
  });
});

const settingsArbitrary: fc.Arbitrary<ContextSettings> = fc
  .record(
    {
      transcriptTokenBudget: fc.integer({ min: 150, max: 2500 }),
      tokenCounter: fc.constantFrom('o200k_base' as const, 'cl100k_base' as const, 'chars' as const),
      keepLastTurns: fc.integer({ min: 0, max: 4 }),
      strategy: fc.constantFrom(...CONTEXT_STRATEGIES),
      transcriptWindow: fc.integer({ min: 6, max: 30 }),
    },
    { requiredKeys: ['transcriptTokenBudget', 'tokenCounter', 'keepLastTurns', 'strategy'] },
  )
  .filter((settings) => shapeBudget(settings).feasible);

const size = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 2, arbitrary: fc.integer({ min: 400, max: 4000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4000, max: 30_000 }) },
);

const turn = fc.record({
  decision: size,
  returned: fc.array(size, { maxLength: 3 }),
  outcome: fc.option(size, { nil: undefined }),
  pin: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined, freq: 4 }),
  unpin: fc.boolean(),
});

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** Pins that leave the turns to keep their room, as those who add them see to. */
class Pinboard {
  readonly #pins: { readonly pinId: string; readonly tokens: number }[] = [];
  #made = 0;

  constructor(private readonly loop: LoopHarness) {}

  async turn({ pin, unpin }: Turn): Promise<void> {
    const oldest = unpin ? this.#pins.shift() : undefined;
    if (oldest) await this.loop.unpin(oldest.pinId);
    if (pin === undefined) return;
    // A text never counts more tokens than it has characters; role and line feed take a few.
    const added = { pinId: `pin_${(this.#made += 1)}`, tokens: pin + 16 };
    const pins = [...this.#pins, added].map((one) => ({ ...one, sequence: 0, artifactId: '' }));
    if (!shapeBeside(pins, this.loop.settings).feasible) return;
    this.#pins.push(added);
    await this.loop.pin(added.pinId, note(pin));
  }
}

async function played(settings: ContextSettings, acts: readonly Turn[]): Promise<LoopHarness> {
  const loop = await started(settings);
  const pinboard = new Pinboard(loop);
  const old = loop.handlers();
  for (const [index, act] of acts.entries()) {
    const iteration = index + 1;
    await loop.window(iteration, index % 3 === 0 ? loop.handlers() : old);
    await loop.decided(iteration, note(act.decision));
    for (const returned of act.returned) await loop.returned(note(returned));
    await loop.aside();
    await pinboard.turn(act);
    if (act.outcome !== undefined) await loop.completed(note(act.outcome));
  }
  return loop;
}

describe('windows of random execution loops', () => {
  it(
    'pass every check of the seam, and are derived again',
    () =>
      fc.assert(
        fc.asyncProperty(
          settingsArbitrary,
          fc.array(turn, { minLength: 1, maxLength: 14 }),
          async (settings, acts) => {
            const loop = await played(settings, acts);
            const events = await loop.events();
            const handlers = loop.handlers();
            for (let iteration = 1; iteration <= acts.length; iteration += 1) {
              const plan = await handlers.readWindow.read({ ...RUN, iteration });
              const seen = await seenWindow(plan, loop.assembler.artifacts, RUN.tenantId);
              expect({ iteration, failed: failedChecks(seen, events, settings) }).toEqual({
                iteration,
                failed: [],
              });
              expect(plan.entries.length).toBeLessThanOrEqual(settings.transcriptWindow ?? Infinity);
              const { fates } = await handlers.readWindow.explain({ ...RUN, iteration });
              const said = events.filter(
                ({ sequence, type, counts }) =>
                  sequence <= plan.window.asOfSequence &&
                  counts &&
                  (LOOP_TURN_TYPES as readonly string[]).includes(type),
              );
              expect(fates.reduce((sum, fate) => sum + fate.events, 0)).toBe(said.length);
            }
            const beyond = handlers.readWindow.read({ ...RUN, iteration: acts.length + 1 });
            await expect(beyond).rejects.toMatchObject({ code: 'not_found' });
            const verification = await handlers.verifyRun.handle(RUN);
            expect(verification).toMatchObject({ ok: true, windowsChecked: acts.length });
          },
        ),
        { numRuns: 30 },
      ),
    120_000,
  );
});
