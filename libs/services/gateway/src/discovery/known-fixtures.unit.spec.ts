import { silentLogger } from '@palimpsest/kernel';
import { KnownFixtures } from './known-fixtures.js';

describe('the workflows that discovery tells', () => {
  it('are asked for once in a while, however many ask', async () => {
    let now = 0;
    let asked = 0;
    const fixtures = new KnownFixtures({
      fixtureIds: async () => [`asked-${(asked += 1)}`],
      logger: silentLogger,
      now: () => now,
    });
    const lists = await Promise.all([fixtures.read(), fixtures.read()]);
    expect(lists).toEqual(Array(2).fill({ ids: ['asked-1'], known: true }));
    now = 4999;
    expect((await fixtures.read()).ids).toEqual(['asked-1']);
    now = 5000;
    expect((await fixtures.read()).ids).toEqual(['asked-2']);
  });

  it('stay as they were while the directory does not answer', async () => {
    let now = 0;
    let answer: readonly string[] | undefined;
    const fixtureIds = async (): Promise<readonly string[]> =>
      answer ?? Promise.reject(new TypeError('down'));
    const fixtures = new KnownFixtures({ fixtureIds, logger: silentLogger, now: () => now });
    expect(await fixtures.read()).toEqual({ ids: [], known: false });
    [now, answer] = [5000, ['a']];
    expect(await fixtures.read()).toEqual({ ids: ['a'], known: true });
    [now, answer] = [10_000, undefined];
    expect(await fixtures.read()).toEqual({ ids: ['a'], known: true });
  });
});
