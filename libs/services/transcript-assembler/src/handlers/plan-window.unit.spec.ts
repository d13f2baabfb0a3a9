import type { ContextSettings, MessageContent, WindowPlan } from '@palimpsest/contracts';
import type { RacePoints } from '@palimpsest/kernel';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';
import type { AssemblerHandlers } from './answer-requests.js';

const SETTINGS: ContextSettings = {
  transcriptTokenBudget: 300,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'sliding-window',
};

const user = (text: string): MessageContent => ({ role: 'user', text });
const long = (topic: string): MessageContent =>
  user(`${topic}: ticket OPS-${topic.length}${topic.charCodeAt(0)} is due on 2026-03-04. `.repeat(5));

async function started(settings = SETTINGS): Promise<AssemblerHarness> {
  const harness = new AssemblerHarness(settings);
  await harness.start();
  return harness;
}

async function ask(handlers: AssemblerHandlers, expectedSequence?: number): Promise<WindowPlan> {
  return handlers.planWindow.handle({
    ...RUN,
    asOfSequence: 0,
    ...(expectedSequence !== undefined && { expectedSequence }),
  });
}

/** A run whose window has been cut at least once. */
async function compacted(): Promise<{
  harness: AssemblerHarness;
  handlers: AssemblerHandlers;
  plan: WindowPlan;
}> {
  const harness = await started();
  const handlers = harness.handlers({ deadlineMs: 5 });
  await harness.say(...['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(long));
  return { harness, handlers, plan: await ask(handlers) };
}

describe('planning the window of an own-loop run', () => {
  it('feeds an empty window before anything was said', async () => {
    const harness = await started();
    const { window, entries } = await ask(harness.handlers());
    expect(window).toMatchObject({ iteration: 1, tokenCount: 0, lastMessageSequence: -1 });
    expect(entries).toEqual([]);
  });

  it('answers the same iteration until another message is appended', async () => {
    const harness = await started();
    const handlers = harness.handlers();
    await harness.say(user('hello'));
    const [first, second] = [await ask(handlers), await ask(handlers)];
    expect(second).toEqual(first);
    await harness.say(user('again'));
    expect((await ask(handlers)).window.iteration).toBe(2);
  });

  it('answers two who ask at once with one recorded window', async () => {
    const harness = await started();
    await harness.say(...['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(long));
    const handlers = [harness.handlers({ deadlineMs: 5 }), harness.handlers({ deadlineMs: 5 })];
    const plans = await Promise.all(handlers.flatMap((handler) => [ask(handler), ask(handler)]));
    expect(new Set(plans.map(({ eventId }) => eventId)).size).toBe(1);
    const { events } = await harness.log.readRun({ ...RUN, fromSequence: 0, types: ['context.summarized'] });
    expect(events).toHaveLength(1);
  });

  it('loses no message that is appended while a window is planned', async () => {
    const harness = await started();
    await harness.say(user('first'));
    let appended = false;
    const races: RacePoints = {
      reach: async () => {
        if (appended) return;
        appended = true;
        await harness.say(user('meanwhile'));
      },
    };
    const { entries, window } = await ask(harness.handlers({ races }));
    expect(window.iteration).toBe(1);
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it('leaves nothing of a window whose planner dies before it is recorded, and plans it again', async () => {
    const harness = await started();
    await harness.say(...['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(long));
    const death = harness.handlers({
      deadlineMs: 5,
      races: { reach: () => Promise.reject(new Error('killed')) },
    });
    await expect(ask(death)).rejects.toThrow('killed');
    expect((await harness.log.header(RUN.tenantId, RUN.runId))?.head).toBe(5);
    const { window } = await ask(harness.handlers({ deadlineMs: 5 }));
    expect(window).toMatchObject({ iteration: 1, totals: { summaries: 1 } });
    expect(harness.done.here).toBe(1);
  });

  it('refuses an expected sequence that is not the last message', async () => {
    const harness = await started();
    await harness.say(user('hello'));
    await expect(ask(harness.handlers(), 0)).rejects.toMatchObject({ code: 'sequence_conflict' });
    expect((await ask(harness.handlers(), 1)).window.iteration).toBe(1);
  });

  it('plans nothing on a finished run, but answers with the window that stands', async () => {
    const harness = await started();
    const handlers = harness.handlers();
    await harness.say(user('hello'));
    const before = await ask(handlers);
    await harness.log.append({
      ...RUN,
      expectedHead: 2,
      at: new Date(0),
      events: [{ type: 'run.completed', payload: { outputs: {} }, schemaVersion: 1 }],
      header: { status: 'completed' },
    });
    expect(await ask(handlers)).toEqual(before);
  });

  it('does not know a run of another tenant', async () => {
    const harness = await started();
    const request = { ...RUN, tenantId: 'other', asOfSequence: 0 };
    await expect(harness.handlers().planWindow.handle(request)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes the answer of a worker where one comes in time', async () => {
    const harness = await started();
    const handlers = harness.handlers({ deadlineMs: 60_000 });
    await harness.work(handlers);
    await harness.say(...['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(long));
    const { summarizedRanges } = await ask(handlers);
    expect(summarizedRanges).toHaveLength(1);
    expect(harness.done).toEqual({ byWorkers: 1, here: 0 });
  });

  it('summarizes itself when no worker answers, and stays within the budget', async () => {
    const { harness, plan } = await compacted();
    expect(harness.done).toEqual({ byWorkers: 0, here: 1 });
    expect(plan.window.tokenCount).toBeLessThanOrEqual(SETTINGS.transcriptTokenBudget);
    expect(plan.entries[0]).toMatchObject({
      kind: 'summary',
      artifactId: plan.summarizedRanges[0]?.summaryRef,
    });
  });

  it('plans as if an erased summary did not exist', async () => {
    const { harness, handlers, plan } = await compacted();
    await harness.artifacts.erase(RUN.tenantId, plan.summarizedRanges[0]?.summaryRef ?? '');
    await harness.say(user('on we go'));
    const after = await ask(handlers);
    expect(after.summarizedRanges).toEqual([]);
    const { fates } = await handlers.readWindow.explain({ ...RUN, iteration: 2 });
    expect(fates[0]).toMatchObject({ fate: 'evicted', fromSequence: 1 });
  });

  it('feeds a call that waits and pairs its late result', async () => {
    const harness = await started();
    const handlers = harness.handlers({ deadlineMs: 5 });
    const call: MessageContent = {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'c1', name: 'ask', arguments: '{}' }],
    };
    await harness.say(call, ...['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map(long));
    const before = await ask(handlers);
    expect(before.window.islands).toEqual([[1]]);
    await harness.say({ role: 'tool', text: 'yes', toolCallId: 'c1' });
    const after = await ask(handlers);
    expect(after.entries.filter(({ turn }) => turn === 1)).toHaveLength(2);
  });
});

describe('reading recorded windows', () => {
  it('answers with the bytes that were fed, and why every message is where it is', async () => {
    const { harness, handlers, plan } = await compacted();
    await harness.say(user('later'));
    await ask(handlers);
    expect(await handlers.readWindow.read({ ...RUN, iteration: 1 })).toEqual(plan);
    const { fates } = await handlers.readWindow.explain({ ...RUN, iteration: 1 });
    expect(fates.map(({ fate }) => fate)).toEqual(['summarized', 'fed']);
    expect(fates.reduce((sum, { events }) => sum + events, 0)).toBe(5);
  });

  it.each([0, 3, 99])('does not know iteration %i of two', async (iteration) => {
    const { harness, handlers } = await compacted();
    await harness.say(user('later'));
    await ask(handlers);
    const answer = handlers.readWindow.read({ ...RUN, iteration });
    await expect(answer).rejects.toThrow();
  });

  it.each([
    ['planWindow', (at: AssemblerHandlers) => at.planWindow.handle({ ...RUN, asOfSequence: -1 })],
    ['readWindow', (at: AssemblerHandlers) => at.readWindow.read({ ...RUN, iteration: 0 })],
    ['explainWindow', (at: AssemblerHandlers) => at.readWindow.explain({ ...RUN, iteration: 1.5 })],
    ['usage', (at: AssemblerHandlers) => at.reportUsage.handle({ ...RUN, limit: 501 })],
    ['verify', (at: AssemblerHandlers) => at.verifyRun.handle({ tenantId: RUN.tenantId })],
  ])('refuses a malformed request of %s as such', async (_subject, ask) => {
    const { handlers } = await compacted();
    await expect(ask(handlers)).rejects.toMatchObject({ code: 'validation_error', retryable: false });
  });

  it('reports tokens fed against tokens an unbounded loop would send, in pages', async () => {
    const { harness, handlers, plan } = await compacted();
    await harness.say(user('later'));
    const second = await ask(handlers);
    const { total, iterations } = await handlers.reportUsage.handle(RUN);
    expect(iterations.map(({ summaries }) => summaries)).toEqual([1, 0]);
    expect(total.fedTokens).toBe(plan.window.tokenCount + second.window.tokenCount);
    expect(total.notResentTokens).toBe(total.unboundedTokens - total.fedTokens);
    const page = await handlers.reportUsage.handle({ ...RUN, limit: 1 });
    expect(page).toMatchObject({ nextIteration: 2, iterations: [iterations[0]] });
    const rest = await handlers.reportUsage.handle({ ...RUN, fromIteration: 2 });
    expect(rest.iterations).toEqual([iterations[1]]);
  });
});
