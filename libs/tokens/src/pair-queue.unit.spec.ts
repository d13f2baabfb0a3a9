import fc from 'fast-check';
import { PairQueue } from './pair-queue.js';

const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.nat(2 ** 31)), { maxLength: 80 });

function takeAll(queue: PairQueue): [number, number][] {
  const taken: [number, number][] = [];
  while (queue.next()) taken.push([queue.rank, queue.position]);
  return taken;
}

describe('PairQueue', () => {
  it('gives pairs by rank, then by position, whenever they came', () => {
    fc.assert(
      fc.property(pairs, pairs, (initial, later) => {
        const queue = new PairQueue(initial.length);
        for (const [rank, position] of initial) queue.add(rank, position);
        queue.order();
        for (const [rank, position] of later) queue.push(rank, position);
        const byKey = [...initial, ...later].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(takeAll(queue)).toEqual(byKey);
      }),
    );
  });

  it('takes pairs in between, below those already waiting too', () => {
    const queue = new PairQueue(2);
    queue.add(5, 1);
    queue.add(9, 0);
    queue.order();
    queue.next();
    for (const rank of [7, 6, 8, 2, 1, 3]) queue.push(rank, rank);
    expect(takeAll(queue).map(([rank]) => rank)).toEqual([1, 2, 3, 6, 7, 8, 9]);
    queue.push(4, 4);
    expect(takeAll(queue)).toEqual([[4, 4]]);
  });
});
