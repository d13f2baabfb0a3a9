import { retryDelay, type Setback } from './retry-delay.js';

const patient = { attempts: 1, waitedMs: 0, known: true, spread: 0 };
const later = (retryAfterMs?: number): Setback => ({ kind: 'later', retryAfterMs });

describe('retryDelay', () => {
  it('grows to two seconds', () => {
    const at = (attempts: number): number | undefined =>
      retryDelay({ kind: 'unreachable' }, { ...patient, attempts });
    expect([1, 2, 3, 4, 5, 6, 7].map(at)).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
  });

  it('is spread down to its half', () => {
    expect(retryDelay({ kind: 'unreachable' }, { ...patient, spread: 1 })).toBe(50);
  });

  it('is never below what was asked for', () => {
    expect(retryDelay(later(4000), { ...patient, spread: 1 })).toBe(4000);
    expect(retryDelay(later(), patient)).toBe(1000);
    expect(retryDelay(later(30_000), patient)).toBe(30_000);
  });

  it('ends where patience does, and where more is asked for', () => {
    expect(retryDelay(later(1000), { ...patient, attempts: 9, waitedMs: 29_500 })).toBeUndefined();
    expect(retryDelay(later(30_001), patient)).toBeUndefined();
    expect(retryDelay({ kind: 'unreachable' }, { ...patient, waitedMs: 950, known: false })).toBeUndefined();
  });
});
