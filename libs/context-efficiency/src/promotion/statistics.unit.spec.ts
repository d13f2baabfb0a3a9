import { median, quantile } from './statistics.js';

describe('quantile (§12.2)', () => {
  it.each([
    [[7], 0.25, 7],
    [[1, 2], 0.5, 1.5],
    [[2, 1], 0.25, 1.25],
    [[3, 1, 2], 0.5, 2],
    [[1, 2, 3, 4], 0.25, 1.75],
    [[1, 2, 3, 4], 0.95, 3.8499999999999996],
    [[1, 2, 3, 4, 5], 0.25, 2],
    [[10, 9, 100], 0.5, 10],
    [[0.1, 0.1, 0.1], 0.95, 0.1],
    [[-1, -2], 0, -2],
    [[-1, -2], 1, -1],
  ])('of %j at %d is %d', (values, q, expected) => expect(quantile(values, q)).toBe(expected));

  it('leaves the values as they are', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});
