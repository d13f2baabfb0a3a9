import {
  WINDOW_PLANNED,
  type ContextSettings,
  type MessageContent,
  type WindowPlan,
} from '@palimpsest/contracts';
import type { AssemblerHandlers } from './answer-requests.js';
import { KnownRuns } from '../history/known-runs.js';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';
import { pinAdded, pinRemoved } from '../testing/pin-events.js';

const SETTINGS: ContextSettings = {
  transcriptTokenBudget: 300,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'sliding-window',
};

const user = (text: string): MessageContent => ({ role: 'user', text });
const long = (topic: string): MessageContent =>
  user(`${topic}: ticket OPS-${topic.length} is due on 2026-03-04. `.repeat(5));

async function started(): Promise<AssemblerHarness> {
  const harness = new AssemblerHarness(SETTINGS);
  await harness.start();
  return harness;
}

async function pin(harness: AssemblerHarness, pinId: string, text: string): Promise<void> {
  await harness.record(await pinAdded(harness.artifacts, { ...RUN, pinId, text }));
}

function ask(handlers: AssemblerHandlers): Promise<WindowPlan> {
  return handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
}

function kinds({ entries }: WindowPlan): string[] {
  return entries.map(({ kind, sequence }) => `${kind} ${sequence}`);
}

describe('pins of an own-loop run', () => {
  it('stand in every window from the next one on, inside the budget', async () => {
    const harness = await started();
    const handlers = harness.handlers({ deadlineMs: 1 });
    await harness.say(user('hello'));
    const before = await ask(handlers);
    expect(before.window).not.toHaveProperty('pins');
    await pin(harness, 'pin_a', 'Never deploy on Fridays.');
    expect(await ask(handlers)).toEqual(before);
    await harness.say(user('again'));
    const after = await ask(handlers);
    expect(kinds(after)).toEqual(['turn 1', 'pin 3', 'turn 4']);
    const [, pinned] = after.entries;
    expect(pinned).toMatchObject({ role: 'user', form: 'full', eventId: 'evt-run_1-3', toolCallIds: [] });
    expect(after.window.tokenCount).toBe(after.entries.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(after.window.tokenCount).toBe(after.window.unboundedTokenCount + (pinned?.tokens ?? 0));
  });

  it('outlive the turns around them, before the summaries, until they are removed', async () => {
    const harness = await started();
    const handlers = harness.handlers({ deadlineMs: 1 });
    await harness.say(user('hello'));
    await pin(harness, 'pin_a', 'Never deploy on Fridays.');
    await harness.say(...['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(long));
    const plan = await ask(handlers);
    expect(kinds(plan).slice(0, 2)).toEqual(['pin 2', `summary ${plan.window.asOfSequence + 1}`]);
    expect(plan.summarizedRanges.flatMap(({ replacedTurns }) => replacedTurns)).not.toContain('evt-run_1-2');
    const { fates } = await handlers.readWindow.explain({ ...RUN, iteration: 1 });
    expect(fates.reduce((sum, { events }) => sum + events, 0)).toBe(6);
    await harness.record(pinRemoved('pin_a'));
    await harness.say(user('go on'));
    expect(kinds(await ask(handlers)).some((kind) => kind.startsWith('pin'))).toBe(false);
    expect(await handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true, windowsChecked: 2 });
  });

  it('are what the log says, also of a run that is remembered', async () => {
    const harness = await started();
    const handlers = harness.handlers({ deadlineMs: 1 });
    const remembering = new KnownRuns(harness.log);
    for (const [index, topic] of ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].entries()) {
      await pin(harness, `pin_${index % 2}`, `Rule ${index}.`);
      await harness.say(long(topic));
      if (index === 3) await harness.record(pinRemoved('pin_0'));
      const plan = await ask(handlers);
      expect(await ask(harness.handlers({ deadlineMs: 1 }))).toEqual(plan);
      expect(await handlers.readWindow.read({ ...RUN, iteration: index + 1 })).toEqual(plan);
      const now = await remembering.asOfNow(RUN, () => SETTINGS.tokenCounter);
      expect(now).toEqual(await new KnownRuns(harness.log).asOfNow(RUN, () => SETTINGS.tokenCounter));
      if (now) remembering.remember(RUN, now.known);
    }
    const { events } = await harness.log.readRun({ ...RUN, fromSequence: 0, types: [WINDOW_PLANNED] });
    const pins = events.map(({ payload }) =>
      (payload['pins'] as { pinId: string }[]).map(({ pinId }) => pinId),
    );
    expect(pins).toEqual([['pin_0'], ['pin_0', 'pin_1'], ['pin_1', 'pin_0'], ['pin_1'], ['pin_1', 'pin_0']]);
    expect(await handlers.verifyRun.handle(RUN)).toMatchObject({ ok: true, windowsChecked: 5 });
  });

  it('that leave the turns to keep no room are answered as such', async () => {
    const harness = await started();
    await harness.say(user('hello'));
    await pin(harness, 'pin_a', 'Never deploy on Fridays. '.repeat(60));
    await expect(ask(harness.handlers())).rejects.toMatchObject({
      code: 'context_budget_infeasible',
      details: { minimumBudget: expect.any(Number), minimumTranscriptWindow: expect.any(Number) },
    });
    await harness.record(pinRemoved('pin_a'));
    expect(kinds(await ask(harness.handlers()))).toEqual(['turn 1']);
  });

  it('whose content was erased are named by a verification', async () => {
    const harness = await started();
    const handlers = harness.handlers();
    await harness.say(user('hello'));
    await pin(harness, 'pin_a', 'Never deploy on Fridays.');
    const { entries } = await ask(handlers);
    await harness.artifacts.erase(RUN.tenantId, entries[1]?.artifactId ?? '');
    expect((await handlers.verifyRun.handle(RUN)).firstDifference).toMatchObject({ sequence: 2 });
    await harness.say(user('on we go'));
    expect(kinds(await ask(handlers))).toEqual(['turn 1', 'pin 2', expect.stringMatching(/^turn/)]);
  });
});
