import type { AppendRequest } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { checkedAppend, type CheckedAppend } from './append-events.js';
import { AppendQueue } from './append-queue.js';

type Statement = {
  readonly runs: readonly string[];
  answer(): void;
  fail(error: unknown): void;
};

/** A server whose statements end when a test says so; each append moves its run to the number of its events. */
function heldServer() {
  const statements: Statement[] = [];
  const write = (appends: readonly CheckedAppend[]) =>
    new Promise<readonly number[]>((resolve, reject) => {
      statements.push({
        runs: appends.map(({ request }) => request.runId),
        answer: () => resolve(appends.map(({ events }) => events.length)),
        fail: reject,
      });
    });
  return { queue: new AppendQueue(write), statements };
}

function appendTo(
  runId: string,
  overrides: Partial<AppendRequest> & { readonly size?: number } = {},
): CheckedAppend {
  const { size = 1, ...request } = overrides;
  return checkedAppend({
    tenantId: 'tenant',
    runId,
    expectedHead: 0,
    events: Array.from({ length: size }, () => ({ type: 'test.noted', payload: {}, schemaVersion: 1 })),
    at: new Date(0),
    ...request,
  });
}

const runsOf = (statements: readonly Statement[]) => statements.map(({ runs }) => runs);

/** Both lanes taken by the runs `x` and `y`. */
async function busyServer() {
  const server = heldServer();
  const first = [server.queue.append(appendTo('x'))];
  await waitUntil(() => server.statements.length === 1);
  first.push(server.queue.append(appendTo('y')));
  await waitUntil(() => server.statements.length === 2);
  return { ...server, first };
}

describe('AppendQueue', () => {
  it('sends what is asked for in one turn of the loop together', async () => {
    const { queue, statements } = heldServer();
    const all = ['a', 'b', 'c'].map((runId, index) => queue.append(appendTo(runId, { size: index + 1 })));
    await waitUntil(() => statements.length === 1);
    statements[0]?.answer();
    expect(await Promise.all(all)).toEqual([1, 2, 3]);
    expect(runsOf(statements)).toEqual([['a', 'b', 'c']]);
  });

  it('joins what comes while its lanes are taken', async () => {
    const { queue, statements } = await busyServer();
    for (const runId of ['a', 'b', 'c']) void queue.append(appendTo(runId));
    statements[0]?.answer();
    await waitUntil(() => statements.length === 3);
    expect(runsOf(statements)).toEqual([['x'], ['y'], ['a', 'b', 'c']]);
  });

  it('keeps the order of one run, one append a statement', async () => {
    const { queue, statements, first } = await busyServer();
    for (const size of [2, 3]) first.push(queue.append(appendTo('y', { size })));
    first.push(queue.append(appendTo('a')));
    statements[0]?.answer();
    await waitUntil(() => statements.length === 3);
    expect(runsOf(statements).at(-1)).toEqual(['a']);
    for (const next of [1, 2, 3, 4]) {
      await waitUntil(() => statements.length > next);
      statements[next]?.answer();
    }
    expect(await Promise.all(first)).toEqual([1, 1, 2, 3, 1]);
    expect(runsOf(statements).slice(3)).toEqual([['y'], ['y']]);
  });

  it('does not join the start of a run to an extension', async () => {
    const { queue, statements } = await busyServer();
    void queue.append(appendTo('a'));
    void queue.append(appendTo('b', { expectedHead: 'no-run', workflowId: 'w' }));
    void queue.append(appendTo('c'));
    statements[0]?.answer();
    statements[1]?.answer();
    await waitUntil(() => statements.length === 4);
    expect(runsOf(statements).slice(2)).toEqual([['a', 'c'], ['b']]);
  });

  it('sends a large append alone, and bounds the others', async () => {
    const { queue, statements } = await busyServer();
    for (const [runId, size] of [
      ['a', 100],
      ['b', 500],
      ['c', 28],
    ] as const) {
      void queue.append(appendTo(runId, { size }));
    }
    statements[0]?.answer();
    statements[1]?.answer();
    await waitUntil(() => statements.length === 4);
    expect(runsOf(statements).slice(2)).toEqual([['a', 'c'], ['b']]);
  });

  it('does not let one append that the server refuses fail the others', async () => {
    const { queue, statements } = heldServer();
    const all = ['a', 'b', 'c'].map((runId) => queue.append(appendTo(runId)));
    const settled = Promise.allSettled(all);
    const refused = Object.assign(new Error('refused'), { code: '22003' });
    await waitUntil(() => statements.length === 1);
    statements[0]?.fail(refused);
    for (const next of [1, 2, 3]) {
      await waitUntil(() => statements.length > next);
      if (next === 2) statements[next]?.fail(refused);
      else statements[next]?.answer();
    }
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runsOf(statements)).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });

  it('asks nothing again where the server is gone, and goes on with what comes later', async () => {
    const { queue, statements } = heldServer();
    const settled = Promise.allSettled(['a', 'b'].map((runId) => queue.append(appendTo(runId))));
    await waitUntil(() => statements.length === 1);
    statements[0]?.fail(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(statements).toHaveLength(1);
    const later = queue.append(appendTo('a'));
    await waitUntil(() => statements.length === 2);
    statements[1]?.answer();
    expect(await later).toBe(1);
  });
});
