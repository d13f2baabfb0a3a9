import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { LOGGER, type Logger } from '@palimpsest/kernel';
import { GATEWAY_DATABASE, GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { PURGE_BATCH, purgeIdempotencyKeys } from '../store/purge-idempotency-keys.js';
import type { GatewayTables } from '../store/tables.js';
import { RunExclusivity } from './run-exclusivity.js';

/** Removes idempotency keys whose time is over, and frees the places of runs that have ended. */
@Injectable()
export class Housekeeping implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private closing = false;

  constructor(
    @Inject(GATEWAY_DATABASE) private readonly db: Kysely<GatewayTables>,
    @Inject(RunExclusivity) private readonly exclusivity: RunExclusivity,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.begin(), this.options.housekeepingMs).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** One sweep at a time: a long one takes the turn of the next. */
  private begin(): void {
    this.sweeping ??= this.sweep().finally(() => {
      this.sweeping = undefined;
    });
  }

  private async sweep(): Promise<void> {
    try {
      const keysRemoved = await this.purgeKeys();
      const placesFreed = this.closing ? 0 : await this.exclusivity.sweep();
      if (keysRemoved + placesFreed > 0) this.logger.debug({ keysRemoved, placesFreed }, 'Swept');
    } catch (err) {
      this.logger.warn({ err }, 'What has expired could not be removed');
    }
  }

  /** All of them, in batches: a busy host brings more than one batch between two sweeps. */
  private async purgeKeys(): Promise<number> {
    let removed = 0;
    for (let batch = PURGE_BATCH; batch === PURGE_BATCH && !this.closing; removed += batch) {
      batch = await purgeIdempotencyKeys(this.db);
    }
    return removed;
  }
}
