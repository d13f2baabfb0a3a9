import { InlineLane } from './inline-lane.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('InlineLane', () => {
  it('does at once what the turn has room for, and the rest in later turns, in order', async () => {
    const lane = new InlineLane(10);
    const done: string[] = [];
    const all = ['a', 'b', 'c', 'd'].map((name) => lane.do(6, () => done.push(name)));
    expect(done).toEqual(['a', 'b']);
    await nextTurn();
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
  });

  it('lets other work of the loop in between', async () => {
    const lane = new InlineLane(1);
    const order: string[] = [];
    const texts = Promise.all([1, 2, 3].map((n) => lane.do(1, () => order.push(`text ${n}`))));
    setImmediate(() => order.push('a request'));
    await texts;
    expect(order.indexOf('a request')).toBeLessThan(order.indexOf('text 3'));
  });

  it('comes to everything, even with no room at all', async () => {
    const lane = new InlineLane(0);
    expect(await Promise.all([1, 2].map((n) => lane.do(5, () => n)))).toEqual([1, 2]);
  });

  it('passes on what the work throws and goes on', async () => {
    const lane = new InlineLane(1);
    const failing = lane.do(1, () => {
      throw new RangeError('no');
    });
    await expect(failing).rejects.toBeInstanceOf(RangeError);
    expect(await lane.do(1, () => 7)).toBe(7);
  });
});
