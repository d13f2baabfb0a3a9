import { lastFrom } from './latest-iteration.js';

describe('lastFrom', () => {
  it.each([
    [501, 501],
    [501, 502],
    [501, 503],
    [501, 999],
    [501, 1000],
    [501, 12_345],
  ])('finds, from window %i on, that the last is %i, with few questions', async (known, last) => {
    let questions = 0;
    const found = await lastFrom(known, async (iteration) => {
      questions += 1;
      return iteration <= last;
    });
    expect(found).toBe(last);
    expect(questions).toBeLessThan(40);
  });
});
