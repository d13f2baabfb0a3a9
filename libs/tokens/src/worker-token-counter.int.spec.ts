import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ServiceUnavailableError } from '@palimpsest/kernel';
import { countAll } from './count-tokens.js';
import { CORPUS } from './testing/corpus.js';
import { WorkerTokenCounter, type WorkerTokenCounterOptions } from './worker-token-counter.js';

const LARGE = 'The quick brown fox, 42 times over.\n'.repeat(2000);

let counter: WorkerTokenCounter;
let folder: string;

function start(options: WorkerTokenCounterOptions = {}): WorkerTokenCounter {
  counter = new WorkerTokenCounter({ threads: 1, ...options });
  return counter;
}

/** A thread whose first `crashes` starts die at their first job; then it answers 1 to everything. */
function crashingEntry(crashes: number): URL {
  const path = join(folder, 'crashing.mjs');
  const marks = JSON.stringify(join(folder, 'starts'));
  writeFileSync(
    path,
    `import { appendFileSync, readFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     appendFileSync(${marks}, 'x');
     const starts = readFileSync(${marks}, 'utf8').length;
     parentPort.on('message', () => { if (starts <= ${crashes}) process.exit(3); parentPort.postMessage(1); });`,
  );
  return pathToFileURL(path);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-tokens-'));
});

afterEach(async () => {
  await counter.close();
  rmSync(folder, { recursive: true });
});

describe('WorkerTokenCounter', () => {
  it('counts small and large texts in their order', async () => {
    const texts = [...Object.values(CORPUS), LARGE, 'tail', `${LARGE}!`];
    expect(await start().countAll(texts)).toEqual(texts.map(countAll));
  });

  it('counts one text in one unit, in a thread and on the loop', async () => {
    const expected = countAll(LARGE);
    for (const name of ['o200k_base', 'cl100k_base', 'chars'] as const) {
      expect(await start().count(LARGE, name)).toBe(expected[name]);
      expect(await counter.count('hello world', name)).toBe(countAll('hello world')[name]);
      await counter.close();
    }
  });

  it('does not let a small text wait for a large one', async () => {
    const order: string[] = [];
    const large = start()
      .count('a'.repeat(300_000), 'o200k_base')
      .then(() => order.push('large'));
    await counter.countAll(['small', 'too']).then(() => order.push('small'));
    await large;
    expect(order).toEqual(['small', 'large']);
  });

  it('counts again in a new thread when one dies', async () => {
    start({ entry: crashingEntry(1) });
    expect(
      await Promise.all([counter.count(LARGE, 'o200k_base'), counter.count(LARGE, 'o200k_base')]),
    ).toEqual([1, 1]);
  });

  it('gives up a text that two threads died of, and serves the next', async () => {
    start({ entry: crashingEntry(2) });
    await expect(counter.count(LARGE, 'o200k_base')).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(await counter.count(LARGE, 'o200k_base')).toBe(1);
  });

  it('refuses more than may wait', async () => {
    start({ maxQueuedUnits: LARGE.length });
    const [first, second, third] = await Promise.allSettled(
      [1, 2, 3].map(() => counter.count(LARGE, 'o200k_base')),
    );
    expect([first!.status, second!.status, third!.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((third as PromiseRejectedResult).reason).toBeInstanceOf(ServiceUnavailableError);
  });

  it('refuses what is waiting, running or new when it is closed', async () => {
    start();
    const pending = [1, 2].map(() => counter.count(LARGE, 'o200k_base'));
    const settled = Promise.allSettled(pending);
    await counter.close();
    const late = Promise.allSettled([counter.count(LARGE, 'o200k_base')]);
    for (const result of [...(await settled), ...(await late)])
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(ServiceUnavailableError);
  });
});
