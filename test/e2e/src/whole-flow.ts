import { nodeContentHash } from '@palimpsest/adapter-postgres';
import { CERTIFICATE_LINE_BYTES } from '@palimpsest/contracts';
import { ndjsonLines, verifyCertificate } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { instruction, round } from './conversation.js';
import { rowsHolding, summaryJobs } from './database-search.js';
import type { Deployment } from './deployment.js';
import { EventStreamClient } from './event-stream.js';
import { signedBy } from './host-key.js';
import { faultsOfAnthropic, faultsOfWindow, fedBytes, type WindowDocument } from './window-checks.js';

const BUDGET = 1200;
const ROUNDS = 8;

/** What no log, no message and no row outside the artifact store may hold. */
export const MARKER = 'zanzibar-kestrel-4711';

const SETTINGS = {
  workflowId: 'palimpsest-external',
  configurable: {
    context: { transcriptTokenBudget: BUDGET, tokenCounter: 'o200k_base', keepLastTurns: 2 },
  },
};

type EventDocument = {
  readonly eventId: string;
  readonly sequence: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** The main job over HTTP, from the first turn to the verification; the cases build on each other. */
export function describeWholeFlow(running: () => Deployment): void {
  let runId = '';
  /** As they were answered when they were planned. */
  const windows: WindowDocument[] = [];

  const post = (path: string, body?: object) => running().api.ok(running().api.post(`/v1/runs${path}`, body));
  const get = (path: string) => running().api.ok(running().api.get(`/v1/runs${path}`));
  /** Checks the certificate of a run without asking the server for anything but its public key. */
  const offline = async (of: string) => {
    const { keys } = await running().api.ok(running().api.get('/v1/host/keys'));
    const { text } = await running().api.get(`/v1/runs/${of}/certificate`);
    const lines = ndjsonLines(bytesOf(text), CERTIFICATE_LINE_BYTES);
    return verifyCertificate({ hash: nodeContentHash, isSigned: signedBy(keys) }, lines);
  };
  const events = async (of: string): Promise<readonly EventDocument[]> =>
    (await get(`/${of}/events`)).events as EventDocument[];
  const recorded = async (of: string, iteration: number) =>
    (await running().api.get(`/v1/runs/${of}/windows/${iteration}`)).text;

  async function converse(of: string, rounds: readonly number[]): Promise<readonly WindowDocument[]> {
    const fed: WindowDocument[] = [];
    for (const number of rounds) {
      const [user, calls, results, answer] = round(number, { marker: MARKER, resultLines: 30 });
      await post(`/${of}/turns`, { messages: user });
      fed.push(await post(`/${of}/windows`));
      await post(`/${of}/turns`, { messages: [...(calls ?? []), ...(results ?? [])] });
      fed.push(await post(`/${of}/windows`));
      await post(`/${of}/turns`, { messages: answer });
    }
    return fed;
  }

  it('feeds each turn a window within the budget, with summaries of what does not fit', async () => {
    const created = await post('', { ...SETTINGS, tags: ['e2e'] });
    runId = created.runId;
    await post(`/${runId}/turns`, { messages: [instruction(MARKER)] });
    windows.push(
      ...(await converse(
        runId,
        Array.from({ length: ROUNDS }, (_, index) => index),
      )),
    );

    expect(windows.map(({ iteration }) => iteration)).toEqual(windows.map((_, index) => index + 1));
    expect(windows.flatMap((window) => faultsOfWindow(window, BUDGET))).toEqual([]);
    expect(windows.at(-1)?.unboundedTokenCount).toBeGreaterThan(5 * BUDGET);
    expect(windows.every(({ messages }) => messages[0]?.role === 'system')).toBe(true);
    expect(windows.at(-1)?.entries[0]?.kind).toBe('summary');
    expect((await events(runId)).filter(({ type }) => type === 'context.summarized').length).toBeGreaterThan(
      2,
    );
  });

  it('answers the same window again before another turn is appended', async () => {
    await post(`/${runId}/turns`, { messages: [{ role: 'user', content: `${MARKER} And now?` }] });
    const first = await post(`/${runId}/windows`);
    const again = await Promise.all([post(`/${runId}/windows`), post(`/${runId}/windows`)]);
    expect(again.map(fedBytes)).toEqual([fedBytes(first), fedBytes(first)]);
    windows.push(first);
  });

  it('has every summary made once, each job with an answer', async () => {
    const jobs = (await summaryJobs(running().pool)).filter(({ run_id }) => run_id === runId);
    const summaries = (await events(runId)).filter(({ type }) => type === 'context.summarized');
    expect(jobs.length).toBeGreaterThanOrEqual(summaries.length);
    expect(jobs.filter(({ outcome }) => outcome === null)).toEqual([]);
    const replaced = summaries.flatMap(({ payload }) => payload['replacedTurns'] as string[]);
    expect(new Set(replaced).size).toBe(replaced.length);
  });

  it('reads every recorded window again, byte for byte, and says what became of each event', async () => {
    for (const window of windows) {
      const text = await recorded(runId, window.iteration);
      expect(await recorded(runId, window.iteration)).toBe(text);
      expect(fedBytes(JSON.parse(text) as WindowDocument)).toBe(fedBytes(window));
    }
    const { fates } = await get(`/${runId}/windows/${windows.length}`);
    const kinds = (fates as { fate: string }[]).map(({ fate }) => fate);
    expect(new Set(kinds)).toEqual(new Set(['fed', 'summarized']));
  });

  it('gives a window in the shape of either provider', async () => {
    for (const { iteration } of windows) {
      const window = await get(`/${runId}/windows/${iteration}?format=anthropic`);
      expect(faultsOfAnthropic(window.messages)).toEqual([]);
      expect(window.system[0].text).toContain('Never restart a primary');
    }
  });

  it('reports what was fed against what would have been', async () => {
    const usage = await get(`/${runId}/usage`);
    const fed = windows.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
    const unbounded = windows.reduce((sum, { unboundedTokenCount }) => sum + unboundedTokenCount, 0);
    expect(usage.iterations).toHaveLength(windows.length);
    expect(usage.total).toMatchObject({
      fedTokens: fed,
      unboundedTokens: unbounded,
      notResentTokens: unbounded - fed,
    });
  });

  it('lists the log densely, free of content, with readable content behind it', async () => {
    const list = await events(runId);
    expect(list.map(({ sequence }) => sequence)).toEqual(list.map((_, index) => index));
    expect(list[0]?.type).toBe('run.started');
    expect(JSON.stringify(list)).not.toContain(MARKER);
    const messages = list.filter(({ type }) => type === 'palimpsest.message.appended');
    for (const { payload } of messages) {
      const artifact = await get(`/${runId}/artifacts/${String(payload['artifactId'])}`);
      expect(artifact.artifactType).toBe('message');
      expect(JSON.stringify(artifact.content)).toContain(MARKER);
    }
  });

  it('streams the log, resumes where a client left off, and follows what comes', async () => {
    const list = await events(runId);
    const { url } = running().api;
    const open = (from?: number) =>
      EventStreamClient.open(`${url}/v1/runs/${runId}/events?streamMode=debug`, running().key, from);
    const whole = await open();
    await waitUntil(() => whole.frames.length >= list.length);
    expect(whole.frames.map(({ data }) => JSON.parse(data) as EventDocument)).toEqual(list);
    const middle = list.length - 5;
    const resumed = await open(middle);
    await post(`/${runId}/turns`, { messages: [{ role: 'assistant', content: `${MARKER} Done.` }] });
    await waitUntil(() => resumed.frames.length >= 5);
    expect(resumed.frames.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((step) => middle + step));
    await Promise.all([whole.close(), resumed.close()]);
  });

  it('forks in replay mode: every window byte for byte, not one summary job', async () => {
    const source = await events(runId);
    const fork = await post(`/${runId}:fork`, { mode: 'replay', fromSeq: 0 });
    await waitUntil(async () => (await get(`/${fork.runId}`)).lastSequence === source.length - 1, {
      withinMs: 30_000,
    });
    for (const { iteration } of windows) {
      const replayed = await recorded(fork.runId, iteration);
      expect(replayed.replaceAll(fork.runId, runId)).toBe(await recorded(runId, iteration));
    }
    const jobs = await summaryJobs(running().pool);
    expect(jobs.filter(({ run_id }) => run_id === fork.runId)).toEqual([]);
    expect(await get(`/${fork.runId}/verification`)).toMatchObject({
      ok: true,
      windowsChecked: windows.length,
      summarizerCalls: 0,
      comparedWith: { runId, windows: windows.length },
    });
    const compared = await get(`/${fork.runId}/diff?with=${runId}`);
    expect(compared).toMatchObject({
      identical: true,
      relation: { kind: 'fork', ancestorRunId: runId, sharedEvents: 0 },
      fedTokensSaved: 0,
    });
    expect(identicalIn(compared)).toEqual(windows.map(() => true));
  });

  it('forks in branch mode and goes on, apart from its source', async () => {
    const source = await events(runId);
    const before = source.find(
      ({ type, payload }) => type === 'palimpsest.window.planned' && payload['iteration'] === 9,
    );
    const fork = await post(`/${runId}:fork`, { mode: 'branch', fromSeq: (before?.sequence ?? 0) + 1 });
    const going = await converse(fork.runId, [40, 41]);
    expect(going.map(({ iteration }) => iteration)).toEqual([10, 11, 12, 13]);
    expect(going.flatMap((window) => faultsOfWindow(window, BUDGET))).toEqual([]);
    expect((await recorded(fork.runId, 9)).replaceAll(fork.runId, runId)).toBe(await recorded(runId, 9));
    expect(await get(`/${fork.runId}/verification`)).toMatchObject({ ok: true, windowsChecked: 13 });
    expect(await offline(fork.runId)).toMatchObject({ ok: true, run: { ancestors: [runId] } });
    expect(await events(runId)).toEqual(source);
    const compared = await get(`/${fork.runId}/diff?with=${runId}`);
    const first = (before?.sequence ?? 0) + 1;
    expect(compared).toMatchObject({
      identical: false,
      relation: { kind: 'fork', ancestorRunId: runId, sharedEvents: first },
      firstDivergence: { sequence: first, part: 'payload', iteration: 10 },
    });
    expect(identicalIn(compared).lastIndexOf(true)).toBe(8);
  });

  it('verifies, finishes, and takes no more turns', async () => {
    const verification = await get(`/${runId}/verification`);
    expect(verification).toMatchObject({ ok: true, windowsChecked: windows.length });
    expect(verification.artifactsChecked).toBeGreaterThan(0);
    const { log } = verification;
    expect(log).toMatchObject({ eventsChecked: (await events(runId)).length, chain: 'whole' });
    expect(await offline(runId)).toMatchObject({ ok: true, events: log.eventsChecked });
    expect(await post(`/${runId}/finish`)).toMatchObject({ status: 'completed' });
    const refused = await running().api.post(`/v1/runs/${runId}/turns`, {
      messages: [{ role: 'user', content: 'More?' }],
    });
    expect(refused).toMatchObject({ status: 409, json: { error: 'run_not_active' } });
    const list = await get('?status=completed');
    expect(list.runs).toContainEqual(expect.objectContaining({ runId }));
  });

  it('keeps content in the artifact store, and nowhere else', async () => {
    const found = await rowsHolding(running().pool, MARKER);
    expect(Object.keys(found)).toEqual(['artifact_store']);
    const lines = running().logLines();
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter(({ text }) => text.includes(MARKER)).map(({ app }) => app)).toEqual([]);
  });

  it('has logged no error', () => {
    const errors = running()
      .logLines()
      .filter(({ fields }) => fields['level'] === 'error');
    expect(errors.map(({ text }) => text)).toEqual([]);
  });
}

/** Of each iteration of a comparison, whether both runs fed the same. */
function identicalIn({
  windows,
}: {
  readonly windows?: readonly { readonly identical: boolean }[];
}): readonly boolean[] {
  return (windows ?? []).map(({ identical }) => identical);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
