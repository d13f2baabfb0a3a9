import type { ContextSettings, MessageContent, WindowPlan } from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import type { AssemblerHandlers } from '../handlers/answer-requests.js';
import { AssemblerHarness, RUN } from '../testing/assembler-harness.js';
import { KnownRuns } from './known-runs.js';

const SETTINGS: ContextSettings = {
  transcriptTokenBudget: 300,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'sliding-window',
};

const counter = () => SETTINGS.tokenCounter;
const user = (text: string): MessageContent => ({ role: 'user', text });
const long = (topic: string): MessageContent =>
  user(`${topic}: ticket OPS-${topic.length} is due on 2026-03-04. `.repeat(5));
const call = (id: string): MessageContent => ({
  role: 'assistant',
  text: '',
  toolCalls: [{ id, name: 'ask', arguments: '{}' }],
});

/** Rules, calls that wait, late results, compactions: what a window can be made of. */
const TURNS: readonly (readonly MessageContent[])[] = [
  [{ role: 'system', text: 'Be brief.' }, user('hello')],
  [call('c1')],
  ...['alpha', 'beta', 'gamma', 'delta'].map((topic) => [long(topic)]),
  [{ role: 'tool', text: 'yes', toolCallId: 'c1' }],
  [{ role: 'system', text: 'Be brief, still.' }],
  [call('c2'), { role: 'tool', text: 'no '.repeat(400), toolCallId: 'c2' }],
  ...['epsilon', 'zeta', 'eta'].map((topic) => [long(topic), user('go on')]),
];

async function started(): Promise<AssemblerHarness> {
  const harness = new AssemblerHarness(SETTINGS);
  await harness.start();
  return harness;
}

function ask(handlers: AssemblerHandlers): Promise<WindowPlan> {
  return handlers.planWindow.handle({ ...RUN, asOfSequence: 0 });
}

/** The log, with the reads of runs that it was asked for. */
function counted(log: EventLog) {
  const reads: number[] = [];
  const readRun: EventLog['readRun'] = async (request) => {
    const page = await log.readRun(request);
    reads.push(page.events.length);
    return page;
  };
  const header: EventLog['header'] = (tenantId, runId) => log.header(tenantId, runId);
  return { reads, log: { readRun, header } as EventLog };
}

describe('what an assembler remembers of a run', () => {
  it('answers as one that has just started, byte for byte', async () => {
    const harness = await started();
    const old = harness.handlers({ deadlineMs: 5 });
    for (const turn of TURNS) {
      await harness.say(...turn);
      const answer = JSON.stringify(await ask(old));
      const afresh = harness.handlers({ deadlineMs: 5 });
      expect(JSON.stringify(await ask(afresh))).toBe(answer);
      const { iteration } = (JSON.parse(answer) as WindowPlan).window;
      expect(JSON.stringify(await afresh.readWindow.read({ ...RUN, iteration }))).toBe(answer);
    }
    expect((await old.verifyRun.handle(RUN)).ok).toBe(true);
  });

  it('takes in the windows that others record', async () => {
    const harness = await started();
    const [one, other] = [harness.handlers({ deadlineMs: 5 }), harness.handlers({ deadlineMs: 5 })];
    for (const [index, turn] of TURNS.entries()) {
      await harness.say(...turn);
      const plan = await ask(index % 3 === 0 ? one : other);
      expect(plan.window.iteration).toBe(index + 1);
    }
    expect(await ask(one)).toEqual(await ask(other));
    expect((await one.verifyRun.handle(RUN)).ok).toBe(true);
  });

  it('is the log, whenever it was read', async () => {
    const harness = await started();
    const handlers = harness.handlers({ deadlineMs: 5 });
    const { log, reads } = counted(harness.log);
    const remembering = new KnownRuns(log);
    for (const [index, turn] of TURNS.entries()) {
      await harness.say(...turn);
      if (index % 2 === 0) await ask(handlers);
      const read = reads.length;
      const now = await remembering.asOfNow(RUN, counter);
      expect(now).toEqual(await new KnownRuns(harness.log).asOfNow(RUN, counter));
      if (now) remembering.remember(RUN, now.known);
      // Once something is remembered, one read of what is new.
      if (index > 0) expect(reads.slice(read)).toHaveLength(1);
    }
  });

  it('is put aside where the run went on for long', async () => {
    const harness = await started();
    const remembering = new KnownRuns(harness.log);
    const before = await remembering.asOfNow(RUN, counter);
    if (before) remembering.remember(RUN, before.known);
    await harness.say(...Array.from({ length: 600 }, (_, index) => user(`message ${index}`)));
    const now = await remembering.asOfNow(RUN, counter);
    expect(now).toEqual(await new KnownRuns(harness.log).asOfNow(RUN, counter));
    expect(now?.known).toMatchObject({ upTo: 600 });
  });

  it('waits for the next look where an event came between header and page, and reads what the page lacks', async () => {
    const harness = await started();
    await harness.say(user('one'));
    const late: { header: boolean; page: boolean } = { header: false, page: false };
    const log = {
      header: async (tenantId: string, runId: string) => {
        if (late.header) await harness.say(user('before the header'));
        return harness.log.header(tenantId, runId);
      },
      readRun: async (request: Parameters<EventLog['readRun']>[0]) => {
        if (late.page) await harness.say(user('before the page'));
        late.page = false;
        return harness.log.readRun(request);
      },
    } as EventLog;
    const remembering = new KnownRuns(log);
    const first = await remembering.asOfNow(RUN, counter);
    if (first) remembering.remember(RUN, first.known);
    late.page = true;
    const second = await remembering.asOfNow(RUN, counter);
    expect(second?.known.upTo).toBe(second?.header.head);
    late.header = true;
    const third = await remembering.asOfNow(RUN, counter);
    expect(third?.known.rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(third?.known.upTo).toBe(third?.header.head);
  });

  it('holds the runs that were planned for last', async () => {
    const { log, reads } = counted((await started()).log);
    const remembering = new KnownRuns(log);
    const now = await remembering.asOfNow(RUN, counter);
    if (!now) throw new RangeError('no run');
    remembering.remember(RUN, now.known);
    for (let other = 0; other < 256; other += 1)
      remembering.remember({ ...RUN, runId: `r${other}` }, now.known);
    const read = reads.length;
    await remembering.asOfNow(RUN, counter);
    expect(reads.slice(read).length).toBeGreaterThan(1);
  });

  it('knows of no run that is not there', async () => {
    expect(
      await new KnownRuns((await started()).log).asOfNow({ ...RUN, runId: 'none' }, counter),
    ).toBeUndefined();
  });
});
