import {
  CONTEXT_SUMMARIZED,
  INSTRUCTION_ADDED,
  PIN_ADDED,
  placeOfEventId,
  WINDOW_PLANNED,
  WORKER_RETURNED,
  type ContextSettings,
  type ContextSummarized,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { isErased } from '@palimpsest/kernel';
import { fedWindow, readWindow } from './fed-windows.js';
import { recordedRun, replayed, type RecordedRun } from './fork-checks.js';
import { MemoryHost, TENANT } from '../memory-host.js';
import { ModelLoopRun } from './model-loop-run.js';
import { OwnLoopRun, planWindow, say, type Act } from './own-loop-run.js';

const SOURCE = 'run_source';
const FORK = 'run_fork';

const settings: ContextSettings = {
  transcriptTokenBudget: 300,
  tokenCounter: 'o200k_base',
  keepLastTurns: 1,
  strategy: 'recursive',
};

const said = (count: number): readonly Act[] =>
  Array.from({ length: count }, (): readonly Act[] => [{ act: 'say', size: 220 }, { act: 'window' }]).flat();

let host: MemoryHost;
beforeEach(async () => {
  host = await MemoryHost.start();
});
afterEach(() => host.close());

async function ownLoop(...acts: readonly Act[]): Promise<RecordedRun> {
  const run = await OwnLoopRun.start(host, SOURCE, settings);
  for (const act of acts) await run.play(act);
  return recordedRun(host, SOURCE);
}

type Kind = {
  readonly mode: 'replay' | 'branch';
  readonly fromSeq: number;
  readonly runId?: string;
  readonly forkRunId?: string;
};

const fork = (kind: Kind) => host.forks.fork({ tenantId: TENANT, runId: SOURCE, forkRunId: FORK, ...kind });

/** Refused, with nothing left behind. */
async function refused({ forkRunId = FORK, ...kind }: Kind): Promise<void> {
  await expect(fork({ forkRunId, ...kind })).rejects.toMatchObject({
    code: 'replay_context_summary_unavailable',
    retryable: false,
    details: { fromSeq: kind.fromSeq },
  });
  expect(await host.log.header(TENANT, forkRunId)).toBeUndefined();
}

const artifactAt = ({ events }: RecordedRun, sequence: number): string =>
  events[sequence]?.payload['artifactId'] as string;

function summariesOf({
  events,
}: RecordedRun): readonly { readonly at: number; readonly summary: ContextSummarized }[] {
  return events
    .filter(({ type }) => type === CONTEXT_SUMMARIZED)
    .map(({ sequence, payload }) => ({ at: sequence, summary: payload as unknown as ContextSummarized }));
}

/** Those that stand for an event, also through a summary that they absorbed. */
function summariesOfEvent(run: RecordedRun, place: number): readonly string[] {
  const standing = new Set([place]);
  return summariesOf(run).flatMap(({ at, summary: { replacedTurns, summaryRef } }) => {
    const stands = replacedTurns.some((id) => standing.has(placeOfEventId(id)?.sequence ?? -1));
    if (stands) standing.add(at);
    return stands ? [summaryRef] : [];
  });
}

async function erasedAmong(ids: readonly string[]): Promise<readonly boolean[]> {
  const found = await host.artifacts.get(TENANT, ids);
  return ids.map((id) => {
    const reading = found.get(id);
    return reading !== undefined && isErased(reading);
  });
}

describe('erasing the first message', () => {
  let source: RecordedRun;
  let firstSummary: number;
  beforeEach(async () => {
    source = await ownLoop(...said(14));
    firstSummary = summariesOf(source)[0]?.at ?? -1;
    await host.artifacts.erase(TENANT, artifactAt(source, 1));
  });

  it('erases every summary that stands for it, and no other', async () => {
    const refs = summariesOf(source).map(({ summary }) => summary.summaryRef);
    const standing = summariesOfEvent(source, 1);
    expect(standing.length).toBeGreaterThan(2);
    expect(await erasedAmong(refs)).toEqual(refs.map((ref) => standing.includes(ref)));
  });

  it('refuses every replay that would feed it or one of these, and every branch behind them', async () => {
    for (let fromSeq = 0; fromSeq <= source.header.head; fromSeq += 1) {
      await refused({ mode: 'replay', fromSeq });
      if (fromSeq > firstSummary + 1) await refused({ mode: 'branch', fromSeq });
    }
  });

  it('leaves the branches from before the first summary, which go on without it', async () => {
    for (let fromSeq = 0; fromSeq <= firstSummary; fromSeq += 1) {
      const forkRunId = `${FORK}_${fromSeq}`;
      await fork({ mode: 'branch', fromSeq, forkRunId });
      expect(await host.log.header(TENANT, forkRunId)).toMatchObject({ status: 'running' });
    }
  });

  it('has the run go on as if the summaries did not exist', async () => {
    const content = { role: 'user' as const, text: 'Go on.' };
    await say(host, SOURCE, { content, origin: 'on' });
    const going = await planWindow(host, SOURCE);
    const next = await fedWindow(host, SOURCE, going);
    const gone = summariesOfEvent(source, 1);
    expect(next.summarized.filter(({ summaryRef }) => gone.includes(summaryRef))).toEqual([]);
    expect(next.messages.at(-1)).toEqual({ role: 'user', content: content.text });
    expect(next.window.tokenCount).toBeLessThanOrEqual(settings.transcriptTokenBudget);
  });
});

describe('a later message, erased', () => {
  it('leaves the replays from behind the last window that would feed it', async () => {
    const acts: readonly Act[] = [...said(3), { act: 'window' }];
    const run = await OwnLoopRun.start(host, SOURCE, { ...settings, strategy: 'none' });
    for (const act of [...acts, ...said(14)]) await run.play(act);
    const source = await recordedRun(host, SOURCE);
    await host.artifacts.erase(TENANT, artifactAt(source, 1));
    const feeds = source.windows.filter(({ entries }) => entries.some(({ place }) => place === 1));
    const lastFed = feeds.at(-1)?.sequence ?? -1;
    expect(lastFed).toBeGreaterThan(2);
    for (let fromSeq = 0; fromSeq <= lastFed; fromSeq += 1) await refused({ mode: 'replay', fromSeq });
    for (let fromSeq = lastFed + 1; fromSeq <= source.header.head; fromSeq += 1)
      await fork({ mode: 'replay', fromSeq, forkRunId: `${FORK}_${fromSeq}` });
  });
});

describe('what else windows feed, erased', () => {
  const withPin: readonly Act[] = [
    { act: 'instruct', size: 60 },
    { act: 'pin', size: 60 },
    ...said(4),
    { act: 'unpin', newest: true },
    ...said(2),
  ];

  it.each([
    ['an instruction', INSTRUCTION_ADDED, 'never'],
    ['a pin', PIN_ADDED, 'once it is unpinned'],
  ])('%s refuses a replay of the windows with it', async (_, type, until) => {
    const source = await ownLoop(...withPin);
    const event = source.events.find((each) => each.type === type);
    await host.artifacts.erase(TENANT, event?.payload['artifactId'] as string);
    await refused({ mode: 'replay', fromSeq: 0 });
    const last = source.windows.at(-1)?.sequence ?? -1;
    if (until === 'never') await refused({ mode: 'replay', fromSeq: last });
    else await expect(fork({ mode: 'replay', fromSeq: last })).resolves.toMatchObject({ runId: FORK });
  });

  it('a cut text refuses it, too', async () => {
    const source = await ownLoop({ act: 'say', size: 3000 }, { act: 'window' }, ...said(1));
    const window = source.events.find(({ type }) => type === WINDOW_PLANNED)
      ?.payload as unknown as WindowPlanned;
    await host.artifacts.erase(TENANT, window.cuts[0]?.artifactId ?? '');
    await refused({ mode: 'replay', fromSeq: 0 });
  });

  describe('of a loop that a model decides', () => {
    let source: RecordedRun;
    beforeEach(async () => {
      const run = await ModelLoopRun.start(host, SOURCE, settings);
      for (const act of ['decide', 'return', 'complete', 'decide', 'decide'] as const)
        await run.play({ act, size: 120 });
      source = await recordedRun(host, SOURCE);
    });

    it('what a worker returned refuses a replay', async () => {
      const returned = source.events.find(({ type }) => type === WORKER_RETURNED);
      await host.artifacts.erase(TENANT, returned?.payload['artifactId'] as string);
      await refused({ mode: 'replay', fromSeq: 0 });
    });

    it('a turn that a window stored refuses a replay', async () => {
      const windows = source.events.filter(({ type }) => type === WINDOW_PLANNED);
      const turns = windows.flatMap(({ payload }) => (payload as unknown as WindowPlanned).turns ?? []);
      expect(turns.length).toBeGreaterThan(2);
      await host.artifacts.erase(TENANT, turns[0]?.artifactId ?? '');
      await refused({ mode: 'replay', fromSeq: 0 });
    });
  });
});

describe('erasure and forks', () => {
  it('concerns forks of forks: an artifact named through one is erased for all', async () => {
    const source = await ownLoop(...said(14), { act: 'finish' });
    const child = await replayed(host, { source, forkRunId: 'run_child', fromSeq: 5 });
    await replayed(host, { source: child, forkRunId: 'run_grandchild', fromSeq: 9 });
    const artifactId = artifactAt(source, 1);
    expect(await host.artifacts.getForRun(TENANT, 'run_grandchild', artifactId)).toHaveProperty('content');
    await host.artifacts.erase(TENANT, artifactId);
    for (const runId of [SOURCE, 'run_child', 'run_grandchild']) {
      await refused({ mode: 'replay', fromSeq: 0, runId });
      expect(await host.forks.verify({ tenantId: TENANT, runId })).toMatchObject({ ok: false });
      await expect(readWindow(host, runId, 1)).rejects.toMatchObject({ code: 'artifact_erased' });
      expect(await host.events(runId)).toHaveLength(source.events.length);
    }
  });

  it('keeps a fork whole when its source is erased, and goes with the last of them', async () => {
    const source = await ownLoop(...said(10), { act: 'finish' });
    const child = await replayed(host, { source, forkRunId: 'run_child', fromSeq: 0 });
    const kept = await host.artifacts.eraseRun(TENANT, SOURCE);
    expect(kept.erased).toBe(0);
    expect((await recordedRun(host, 'run_child')).windows).toEqual(child.windows);
    expect(await host.forks.verify({ tenantId: TENANT, runId: 'run_child' })).toMatchObject({ ok: true });
    expect(await host.artifacts.eraseRun(TENANT, 'run_child')).toEqual({ erased: kept.kept, kept: 0 });
    for (const runId of [SOURCE, 'run_child']) await refused({ mode: 'replay', fromSeq: 0, runId });
  });

  it('of a run takes nothing that it did not say: its source is replayed as before', async () => {
    const source = await ownLoop(...said(10), { act: 'finish' });
    await fork({ mode: 'branch', fromSeq: 6 });
    await host.artifacts.eraseRun(TENANT, FORK);
    await replayed(host, { source, forkRunId: 'run_again', fromSeq: 0 });
  });
});
