import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { LOGGER, type Logger } from '@palimpsest/kernel';
import { GATEWAY_DATABASE } from '../gateway-options.js';
import { purgeIdempotencyKeys } from '../store/purge-idempotency-keys.js';
import type { GatewayTables } from '../store/tables.js';

const EVERY_MS = 10 * 60_000;

/** Removes idempotency keys whose time is over. */
@Injectable()
export class KeyHousekeeping implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(GATEWAY_DATABASE) private readonly db: Kysely<GatewayTables>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.purge(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async purge(): Promise<void> {
    try {
      const removed = await purgeIdempotencyKeys(this.db);
      if (removed > 0) this.logger.debug({ removed }, 'Expired idempotency keys removed');
    } catch (err) {
      this.logger.warn({ err }, 'Expired idempotency keys could not be removed');
    }
  }
}
