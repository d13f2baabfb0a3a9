import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { ERROR_STATUS, type JsonValue } from '@palimpsest/contracts';
import {
  fromWireError,
  isPalimpsestError,
  LOGGER,
  TerminalError,
  toWireError,
  type Logger,
  type PalimpsestError,
  type RacePoints,
  type WireError,
} from '@palimpsest/kernel';
import { IdempotencyInFlightError, IdempotencyKeyMismatchError } from '../domain/gateway-errors.js';
import { canonicalBody } from '../domain/request-digest.js';
import { GATEWAY_DATABASE, GATEWAY_OPTIONS, RACE_POINTS, type GatewayOptions } from '../gateway-options.js';
import { claimIdempotencyKey } from '../store/claim-idempotency-key.js';
import {
  releaseIdempotencyKey,
  settleIdempotencyKey,
  type ClaimHolder,
  type Settlement,
} from '../store/settle-idempotency-key.js';
import type { GatewayTables } from '../store/tables.js';

/** The key is this attempt's; nothing was done under it. */
export const KEY_CLAIMED = 'gateway.idempotency.key-claimed';
/** The work is done; its answer is not kept yet. */
export const WORK_DONE = 'gateway.idempotency.work-done';

export type KeyedRequest = {
  readonly tenantId: string;
  /** Method and path, ids included: the same key on another run is another key. */
  readonly endpoint: string;
  readonly body: JsonValue | undefined;
  readonly key: string | undefined;
};

/** Ids that every attempt of the same keyed request gets again; fresh ones without a key. */
export type Attempt = {
  /** For commands; absent without a key. */
  readonly commandId?: string;
  /** A run id of this request's own; absent without a key. */
  readonly runId?: string;
};

/** Work of one endpoint. What `perform` answers is kept: ids and counts, never content. */
export type KeyedWork<Kept extends JsonValue> = {
  readonly status: number;
  perform(attempt: Attempt): Promise<Kept>;
};

export type KeyedAnswer<Kept> = { readonly status: number; readonly kept: Kept; readonly replayed: boolean };

/** The error that was answered to the same request before. */
export class RecordedFailure extends TerminalError {
  constructor({ code, message, details }: PalimpsestError) {
    super(code, message, details ? { details } : {});
  }
}

type KeptAnswer<Kept> = { readonly ok: Kept } | { readonly error: WireError };

const sha256 = (text: string, encoding: 'hex' | 'base64url'): string =>
  createHash('sha256').update(text).digest(encoding);

/** Layer 1 of idempotency (host specification §8.1). */
@Injectable()
export class IdempotentRequests {
  constructor(
    @Inject(GATEWAY_DATABASE) private readonly db: Kysely<GatewayTables>,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(RACE_POINTS) private readonly races: RacePoints,
  ) {}

  /**
   * Does the work once for its key, or gives back what it answered.
   * @throws RecordedFailure where it answered an error
   */
  async run<Kept extends JsonValue>(
    request: KeyedRequest,
    work: KeyedWork<Kept>,
  ): Promise<KeyedAnswer<Kept>> {
    if (request.key === undefined) {
      return { status: work.status, kept: await work.perform({}), replayed: false };
    }
    const holder: ClaimHolder = {
      scopeHash: sha256(`${request.tenantId}:${request.endpoint}:${request.key}`, 'hex'),
      owner: randomBytes(16).toString('base64url'),
    };
    const claim = await this.claim(request, holder);
    if (claim.kind === 'mismatch') throw new IdempotencyKeyMismatchError();
    if (claim.kind === 'in-flight') throw new IdempotencyInFlightError();
    if (claim.kind === 'recorded') return replayOf(claim.status, claim.answer as KeptAnswer<Kept>);
    await this.races.reach(KEY_CLAIMED);
    return this.perform(holder, attemptOf(claim.claimId), work);
  }

  private claim(request: KeyedRequest, holder: ClaimHolder): ReturnType<typeof claimIdempotencyKey> {
    return claimIdempotencyKey(this.db, {
      ...holder,
      tenantId: request.tenantId,
      digest: sha256(canonicalBody(request.body), 'hex'),
      claimId: randomBytes(16).toString('base64url'),
      leaseMs: this.options.idempotencyLeaseMs,
      ttlMs: this.options.idempotencyTtlMs,
    });
  }

  private async perform<Kept extends JsonValue>(
    holder: ClaimHolder,
    attempt: Attempt,
    work: KeyedWork<Kept>,
  ): Promise<KeyedAnswer<Kept>> {
    try {
      const kept = await work.perform(attempt);
      await this.races.reach(WORK_DONE);
      await this.settle(holder, { state: 'completed', status: work.status, answer: { ok: kept } });
      return { status: work.status, kept, replayed: false };
    } catch (error) {
      await this.settleFailure(holder, error);
      throw error;
    }
  }

  /** Not kept: 400, 401, 403, and what may go better next time (host specification §8.1). */
  private async settleFailure(holder: ClaimHolder, error: unknown): Promise<void> {
    const status = isPalimpsestError(error) && !error.retryable ? ERROR_STATUS[error.code] : 500;
    if (status >= 500 || status === 429) return this.settle(holder, { state: 'retryable-failure' });
    if (status === 400 || status === 401 || status === 403) return this.settle(holder, 'release');
    const answer = { error: toWireError(error) as unknown as JsonValue };
    return this.settle(holder, { state: 'terminal-failure', status, answer });
  }

  /**
   * The work is done, whether or not this can be written down: a retry takes the key over when its lease has
   * run out, and finds the work by the ids of its claim.
   */
  private async settle(holder: ClaimHolder, settlement: Settlement | 'release'): Promise<void> {
    try {
      if (settlement === 'release') await releaseIdempotencyKey(this.db, holder);
      else await settleIdempotencyKey(this.db, holder, settlement);
    } catch (err) {
      this.logger.warn({ err }, 'An answer could not be kept for its idempotency key');
    }
  }
}

function attemptOf(claimId: string): Attempt {
  return { commandId: `cmd_${claimId}`, runId: `run_${sha256(`run:${claimId}`, 'base64url').slice(0, 22)}` };
}

function replayOf<Kept>(status: number, kept: KeptAnswer<Kept>): KeyedAnswer<Kept> {
  if ('ok' in kept) return { status, kept: kept.ok, replayed: true };
  throw new RecordedFailure(fromWireError(kept.error));
}
