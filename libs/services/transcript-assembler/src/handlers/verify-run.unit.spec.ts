import type { ContextSettings, MessageContent, WindowPlanned } from '@palimpsest/contracts';
import type { ArtifactStore, EventLog } from '@palimpsest/kernel';
import fc from 'fast-check';
import { countTokens } from '@palimpsest/tokens';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';
import { exactMeasure } from './exact-measure.js';
import { MessageCutter } from './message-cutter.js';
import { EntryRenderer } from './rendered-window.js';
import { VerifyRun } from './verify-run.js';

const COUNTERS = ['o200k_base', 'cl100k_base', 'chars'] as const;

const settingsOf = (tokenCounter: ContextSettings['tokenCounter'], budget: number): ContextSettings => ({
  tokenCounter,
  transcriptTokenBudget: tokenCounter === 'chars' ? budget * 4 : budget,
  keepLastTurns: 1,
  strategy: 'sliding-window',
});

const textArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 60 }) },
  { weight: 2, arbitrary: fc.json() },
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 400 })
      .map((text) => text.toWellFormed().replaceAll('\0', ' ')),
  },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 900 }) },
);

type Said = { readonly text: string; readonly calls: number };

/** A conversation with parallel calls, all answered, the results in reverse order of the calls. */
function conversation(said: readonly Said[]): MessageContent[][] {
  return said.map(({ text, calls }, turn) => {
    if (calls === 0) return [{ role: 'user', text }];
    const toolCalls = Array.from({ length: calls }, (_, index) => ({
      id: `c${turn}-${index}`,
      name: 'look',
      arguments: JSON.stringify({ text }),
    }));
    const results = [...toolCalls]
      .reverse()
      .map(({ id }): MessageContent => ({ role: 'tool', text: `${text} ${id}`, toolCallId: id }));
    return [{ role: 'assistant', text: '', toolCalls }, ...results];
  });
}

/** Windows after every turn; or after every message, also while calls wait for their results. */
async function played(
  settings: ContextSettings,
  said: readonly Said[],
  ask: 'turns' | 'messages' = 'turns',
): Promise<AssemblerHarness> {
  const harness = new AssemblerHarness(settings);
  const handlers = harness.handlers({ deadlineMs: 1 });
  await harness.start();
  for (const part of partsOf(said, ask)) {
    await harness.say(...part);
    await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
  }
  return harness;
}

function partsOf(said: readonly Said[], ask: 'turns' | 'messages'): MessageContent[][] {
  const turns = conversation(said);
  return ask === 'turns' ? turns : turns.flat().map((message) => [message]);
}

const SAMPLE: Said[] = Array.from({ length: 12 }, (_, index) => ({
  text: `Step ${index}: invoice INV-20${index} of 14.50 EUR goes to /srv/billing/out-${index}.json. `.repeat(
    index === 5 ? 40 : 2,
  ),
  calls: index % 3,
}));

describe('deriving the windows of a run again', () => {
  it(
    'finds random runs as they were recorded, within budget as a sum and as one text',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...COUNTERS),
          fc.integer({ min: 110, max: 600 }),
          fc.array(fc.record({ text: textArbitrary, calls: fc.integer({ min: 0, max: 3 }) }), {
            minLength: 2,
            maxLength: 14,
          }),
          fc.constantFrom('turns' as const, 'messages' as const),
          async (counter, budget, said, ask) => {
            const settings = settingsOf(counter, budget);
            const harness = await played(settings, said, ask);
            const handlers = harness.handlers();
            expect(await handlers.verifyRun.handle(RUN)).toMatchObject({
              ok: true,
              windowsChecked: partsOf(said, ask).length,
            });
            const plan = await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
            const renderer = new EntryRenderer(harness.artifacts, countTokens, {
              tenantId: RUN.tenantId,
              counter,
            });
            const texts = (await renderer.render(plan.entries)).map((entry) =>
              'text' in entry ? entry.text : '',
            );
            const joined = countTokens(texts.join(''), counter);
            expect(joined).toBeLessThanOrEqual(plan.window.tokenCount);
            expect(plan.window.tokenCount).toBeLessThanOrEqual(settings.transcriptTokenBudget);
          },
        ),
        { numRuns: 40 },
      ),
    60_000,
  );

  it('derives a window again that does without a summary for want of room', async () => {
    const harness = new AssemblerHarness(settingsOf('o200k_base', 400));
    const handlers = harness.handlers({ deadlineMs: 1 });
    const said = Array.from({ length: 6 }, (_, index): MessageContent => ({
      role: 'user',
      text: Array.from(
        { length: 10 },
        (_, item) => `Invoice INV-${index}${item}77 goes to /srv/out-${index}${item}.json.`,
      ).join(' '),
    }));
    await harness.start();
    await harness.say(...said, ...(conversation([{ text: 'status', calls: 1 }])[0] ?? []).slice(0, 1));
    await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
    const make = harness.make.bind(harness);
    harness.make = async (job) =>
      job.messages.length > 0
        ? make(job)
        : { outcome: 'refused', jobId: job.jobId, tenantId: job.tenantId, reason: 'test' };
    await harness.say({ role: 'tool', text: 'all is well here '.repeat(90), toolCallId: 'c0-0' });
    const { window } = await handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
    expect(window.summarySequences).toEqual([]);
    expect(await handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true, windowsChecked: 2 });
  });

  it('counts the summarizer jobs that the run itself asked for', async () => {
    const harness = await played(settingsOf('o200k_base', 220), SAMPLE);
    const { summarizerCalls, ok } = await harness.handlers().verifyRun.handle(RUN);
    expect(ok).toBe(true);
    expect(summarizerCalls).toBe(harness.done.here);
    expect(summarizerCalls).toBeGreaterThan(0);
  });

  const tamper = (
    harness: AssemblerHarness,
    change: (log: EventLog, artifacts: ArtifactStore) => { log?: EventLog; artifacts?: ArtifactStore },
  ): VerifyRun => {
    const { log = harness.log, artifacts = harness.artifacts } = change(harness.log, harness.artifacts);
    const cutter = new MessageCutter(artifacts, exactMeasure);
    return new VerifyRun({ log, artifacts, cutter, jobs: harness.jobs, count: countTokens });
  };

  /** The log, with one kind of event read otherwise. */
  const readOtherwise = (
    log: EventLog,
    type: string,
    change: (payload: Record<string, unknown>) => object,
  ): EventLog =>
    Object.assign(Object.create(log) as EventLog, {
      readRun: async (request: Parameters<EventLog['readRun']>[0]) => {
        const page = await log.readRun(request);
        const events = page.events.map((event) =>
          event.type === type ? { ...event, payload: { ...event.payload, ...change(event.payload) } } : event,
        );
        return { ...page, events };
      },
    });

  it.each([
    [
      'palimpsest.window.planned',
      (payload: Record<string, unknown>) => ({ tokenCount: Number(payload['tokenCount']) - 1 }),
      /tokenCount/,
    ],
    ['palimpsest.window.planned', () => ({ tailFromSequence: 0 }), /derived otherwise|tailFromSequence/],
    [
      'context.summarized',
      (payload: Record<string, unknown>) => ({ tokensAfter: Number(payload['tokensAfter']) + 1 }),
      /./,
    ],
    [
      'context.summarized',
      (payload: Record<string, unknown>) => ({
        replacedTurns: (payload['replacedTurns'] as string[]).slice(1),
      }),
      /./,
    ],
  ])('finds a changed %s', async (type, change, what) => {
    const harness = await played(
      settingsOf('o200k_base', 220),
      SAMPLE.map((said) => ({ ...said, text: said.text.slice(0, 300) })),
    );
    const verification = await tamper(harness, (log) => ({ log: readOtherwise(log, type, change) })).handle(
      RUN,
    );
    expect(verification.ok).toBe(false);
    expect(verification.firstDifference?.what).toMatch(what);
  });

  it('finds a message whose content is another', async () => {
    const harness = await played(settingsOf('o200k_base', 400), [{ text: 'alpha beta', calls: 0 }]);
    const changed = (artifacts: ArtifactStore): ArtifactStore =>
      Object.assign(Object.create(artifacts) as ArtifactStore, {
        get: async (tenantId: string, ids: readonly string[]) => {
          const readings = await artifacts.get(tenantId, ids);
          return new Map(
            [...readings].map(([id, reading]) => [
              id,
              { ...reading, content: { role: 'user', text: 'gamma delta epsilon' } },
            ]),
          );
        },
      });
    const verification = await tamper(harness, (_, artifacts) => ({ artifacts: changed(artifacts) })).handle(
      RUN,
    );
    expect(verification.firstDifference).toMatchObject({ iteration: 1, sequence: 1 });
  });

  it('names erased content', async () => {
    const harness = await played(settingsOf('o200k_base', 400), [{ text: 'alpha', calls: 0 }]);
    const { events } = await harness.log.readRun({ ...RUN, fromSequence: 1, limit: 1 });
    await harness.artifacts.erase(RUN.tenantId, events[0]?.payload['artifactId'] as string);
    const { ok, firstDifference } = await harness.handlers().verifyRun.handle(RUN);
    expect(ok).toBe(false);
    expect(firstDifference?.what).toMatch(/erased/);
  });

  it.each([
    ['a message that was cut', /^its content is erased$/, 'message'],
    ['a cut rendering alone', /^its cut rendering is erased$/, 'cut'],
  ])('names it where it is %s', async (_which, what, which) => {
    const text = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
    const harness = await played(settingsOf('o200k_base', 400), [{ text, calls: 0 }]);
    const { events } = await harness.log.readRun({ ...RUN, fromSequence: 1 });
    const [cut] = events.flatMap(({ payload }) => (payload as Partial<WindowPlanned>).cuts ?? []);
    const said = events.find(({ sequence }) => sequence === cut?.sequence);
    const artifactId = which === 'cut' ? cut?.artifactId : (said?.payload['artifactId'] as string);
    const gone = await harness.artifacts.erase(RUN.tenantId, artifactId ?? '');
    expect(gone).toContain(cut?.artifactId);
    const { ok, firstDifference } = await harness.handlers().verifyRun.handle(RUN);
    expect(ok).toBe(false);
    expect(firstDifference).toEqual({
      iteration: 1,
      sequence: cut?.sequence,
      what: expect.stringMatching(what),
    });
  });

  it.each([1, 2])('ends at the head of the request, though the run goes on at read %d', async (read) => {
    const harness = await played(settingsOf('o200k_base', 400), SAMPLE.slice(0, 3));
    const { verifyRun } = harness.handlers();
    const whole = await verifyRun.handle(RUN);
    const readRun = harness.log.readRun.bind(harness.log);
    let reads = 0;
    // Pages of two events, so that the run goes on between them as well.
    harness.log.readRun = async (request) => {
      reads += 1;
      if (reads === read) await harness.say({ role: 'user', text: 'And one thing more.' });
      return readRun({ ...request, limit: Math.min(2, request.limit ?? 2) });
    };
    expect(await verifyRun.handle(RUN)).toEqual({ ...whole, ok: true });
    expect(reads).toBeGreaterThan(2);
  });
});
