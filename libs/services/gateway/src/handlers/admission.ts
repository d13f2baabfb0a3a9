import type { Kysely } from 'kysely';
import { PalimpsestError } from '@palimpsest/kernel';
import { ERROR_STATUS } from '@palimpsest/contracts';
import type { Caller } from '../domain/api-key.js';
import type { GatewayTables } from '../store/tables.js';
import { hashOfKey } from './api-keys.js';
import { authenticate } from './authenticate.js';
import { Allowance, type RateLimitSettings } from './rate-limits.js';

/** Keys remembered as good: more than are in use at a time, little to hold. */
const REMEMBERED_KEYS = 10_000;

/** Who may ask now. Narrow allowances come before wide ones, so that what they refuse costs nobody else. */
export class Admission {
  private readonly byKey: Allowance;
  private readonly byTenant: Allowance;
  private readonly byAddress: Allowance;
  private readonly guesses: Allowance;
  private readonly byHost: Allowance;
  /** Hashes of keys that were good when last seen, the oldest first. */
  private readonly good = new Set<string>();

  constructor(
    private readonly db: Kysely<GatewayTables>,
    limits: RateLimitSettings,
  ) {
    this.byKey = new Allowance('key', limits.keyPerSecond);
    this.byTenant = new Allowance('tenant', limits.tenantPerSecond);
    this.byAddress = new Allowance('route', limits.anonymousPerSecond);
    this.guesses = new Allowance('route', limits.anonymousPerSecond);
    this.byHost = new Allowance('global', limits.globalPerSecond);
  }

  /** A request without a key. @throws RateLimitedError */
  async admitAnonymous(network: string): Promise<void> {
    await this.byAddress.take(network);
    await this.byHost.take('');
  }

  /**
   * Whose key it is. A network whose keys were refused too often has no further ones looked at; those that were good
   * before pass, for they may stand behind the same address as whoever guesses.
   * @throws UnauthenticatedError, RateLimitedError
   */
  async authenticate(key: string | undefined, network: string): Promise<Caller> {
    const hash = key === undefined ? '' : hashOfKey(key).toString('base64');
    if (!this.good.has(hash)) await this.guesses.check(network);
    try {
      const caller = await authenticate(this.db, key);
      this.remember(hash);
      return caller;
    } catch (error) {
      if (error instanceof PalimpsestError && ERROR_STATUS[error.code] === 401) {
        this.good.delete(hash);
        await this.guesses.take(network);
        await this.byHost.take('');
      }
      throw error;
    }
  }

  /** A request with a good key. @throws RateLimitedError */
  async admit({ keyId, tenantId }: Caller): Promise<void> {
    await this.byKey.take(keyId);
    await this.byTenant.take(tenantId);
    await this.byHost.take('');
  }

  private remember(hash: string): void {
    this.good.delete(hash);
    this.good.add(hash);
    if (this.good.size <= REMEMBERED_KEYS) return;
    const [oldest = ''] = this.good;
    this.good.delete(oldest);
  }
}
