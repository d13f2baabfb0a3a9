import { pauseMs } from './backoff.js';
import { callSettings } from './call-settings.js';
import { retryAfterMs } from './retry-after.js';

const NOW = new Date('2026-01-01T00:00:00Z');

describe('what a provider asks to wait', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('%j', (headers, ms) => expect(retryAfterMs(headers as Record<string, string>, NOW)).toEqual(ms));
});

describe('a pause', () => {
  const pause = (attempt: number, random: number, asked?: number) =>
    pauseMs({ attempt, random: () => random, retryAfterMs: asked });

  it('grows twofold, up to a bound, and is spread over all of it', () => {
    expect([1, 2, 3, 10].map((attempt) => pause(attempt, 1))).toEqual([500, 1000, 2000, 30_000]);
    expect(pause(4, 0)).toBe(0);
  });

  it('comes after what was asked for, unless that is too long', () => {
    expect(pause(1, 0.5, 7000)).toBe(7250);
    expect(pause(1, 0.5, 60_001)).toBeUndefined();
  });

  it('ends when the caller gives up', async () => {
    const caller = new AbortController();
    const pausing = callSettings({}).sleep(1e6, caller.signal);
    caller.abort();
    await expect(pausing).resolves.toBeUndefined();
  });

  it('of a real timer can be called off', () => {
    const act = jest.fn();
    callSettings({}).startTimer(0, act)();
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
      expect(act).not.toHaveBeenCalled(),
    );
  });
});
