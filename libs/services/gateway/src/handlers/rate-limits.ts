import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimitedError, type RateLimitScope } from '../domain/gateway-errors.js';

/** Requests per second, each with as many again once in ten seconds; 0: no limit. Counted by each instance for itself. */
export type RateLimitSettings = {
  readonly keyPerSecond: number;
  readonly tenantPerSecond: number;
  readonly globalPerSecond: number;
  /** Of one client address: requests that need no key, and, counted apart, such whose key is refused. */
  readonly anonymousPerSecond: number;
};

const BURST_SECONDS = 10;

/** What each holder of a key, tenant or address may ask in a second. */
export class Allowance {
  private readonly steady: RateLimiterMemory;
  private readonly burst: RateLimiterMemory;
  private readonly both: BurstyRateLimiter;

  constructor(
    private readonly scope: RateLimitScope,
    private readonly perSecond: number,
  ) {
    this.steady = new RateLimiterMemory({ points: perSecond, duration: 1 });
    this.burst = new RateLimiterMemory({ points: perSecond, duration: BURST_SECONDS });
    this.both = new BurstyRateLimiter(this.steady, this.burst);
  }

  /** @throws RateLimitedError */
  async take(holder: string): Promise<void> {
    if (this.perSecond === 0) return;
    try {
      await this.both.consume(holder);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new RateLimitedError(this.scope, this.perSecond, refusal.msBeforeNext);
    }
  }

  /** As `take` would, without taking. @throws RateLimitedError */
  async check(holder: string): Promise<void> {
    if (this.perSecond === 0) return;
    const spent = await Promise.all([this.steady.get(holder), this.burst.get(holder)]);
    const waits = spent.map((each) => (each && each.remainingPoints === 0 ? each.msBeforeNext : 0));
    const wait = Math.min(...waits);
    if (wait > 0) throw new RateLimitedError(this.scope, this.perSecond, wait);
  }
}
