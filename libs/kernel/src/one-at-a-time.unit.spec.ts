import { OneAtATime } from './one-at-a-time.js';

/** Work that ends when it is told to. */
function heldWork(order: string[], name: string): { work: () => Promise<string>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async (): Promise<string> => {
    order.push(`${name} begins`);
    await ended;
    order.push(`${name} ends`);
    return name;
  };
  return { work, end };
}

describe('one at a time', () => {
  it('does work of one key in order, and other keys beside it', async () => {
    const order: string[] = [];
    const inTurn = new OneAtATime();
    const [first, second, other] = ['first', 'second', 'other'].map((name) => heldWork(order, name));
    const results = [
      inTurn.run('a', first!.work),
      inTurn.run('a', second!.work),
      inTurn.run('b', other!.work),
    ];
    second!.end();
    other!.end();
    expect(await results[2]).toBe('other');
    expect(order).toEqual(['first begins', 'other begins', 'other ends']);
    first!.end();
    expect(await Promise.all(results)).toEqual(['first', 'second', 'other']);
    expect(order.slice(3)).toEqual(['first ends', 'second begins', 'second ends']);
  });

  it('goes on after work that failed, tells only its owner, and forgets keys without work', async () => {
    const inTurn = new OneAtATime();
    const failing = inTurn.run('a', () => Promise.reject(new TypeError('lost')));
    const next = inTurn.run('a', () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('lost');
    expect(await next).toBe('next');
    expect(inTurn.size).toBe(0);
  });
});
