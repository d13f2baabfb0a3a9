import { retryDelayMs, serverOptions } from './connection-options.js';

describe('serverOptions', () => {
  it.each([
    ['nats://127.0.0.1:4222', { servers: ['127.0.0.1:4222'] }],
    ['bus.example', { servers: ['bus.example:4222'] }],
    ['nats://a:1,nats://b:2,c:3', { servers: ['a:1', 'b:2', 'c:3'] }],
    ['nats://me:p%40ss@a', { servers: ['a:4222'], user: 'me', pass: 'p@ss' }],
    ['nats://t0ken@a', { servers: ['a:4222'], token: 't0ken' }],
    ['tls://a:4443', { servers: ['a:4443'], tls: {} }],
    ['nats://[::1]:4222', { servers: ['[::1]:4222'] }],
  ])('reads %s', (url, options) => {
    expect(serverOptions(url)).toEqual(options);
  });
});

describe('retryDelayMs', () => {
  it('grows up to two seconds, half of it random', () => {
    for (const [attempt, ceiling] of [
      [0, 100],
      [1, 100],
      [2, 200],
      [5, 1600],
      [6, 2000],
      [10_000, 2000],
    ] as const) {
      const delay = retryDelayMs(attempt);
      expect(delay).toBeGreaterThanOrEqual(ceiling / 2);
      expect(delay).toBeLessThanOrEqual(ceiling);
    }
  });
});
