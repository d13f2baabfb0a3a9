import { Inject, Injectable } from '@nestjs/common';
import { runIdSchema, type RunStatus, type RunStatusAnswer } from '@palimpsest/contracts';
import { LOGGER, NotFoundError, toWireError, type Logger } from '@palimpsest/kernel';
import { redactText } from '@palimpsest/transcript';
import type { Caller } from '../domain/api-key.js';
import { MAX_REASON } from '../domain/requests.js';
import { RUN_LOG_COMMANDS, type RunLogCommands } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';

export type Cancellation = {
  readonly caller: Pick<Caller, 'tenantId' | 'keyId'>;
  readonly reason: string | undefined;
  readonly attempt: Attempt;
};

export type BulkResult = {
  readonly runId: string;
  readonly ok: boolean;
  readonly status?: RunStatus;
  readonly error?: { readonly code: string; readonly message: string };
};

/** Cancellations of one request that are under way at a time. */
const AT_ONCE = 8;

/** Host specification §3.4. */
@Injectable()
export class CancelRuns {
  constructor(
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A run of any kind. One that has ended stays as it is: the answer is its status. */
  async cancel(
    runId: string,
    { caller, reason, attempt: { commandId } }: Cancellation,
  ): Promise<RunStatusAnswer> {
    return this.runLog.cancelRun({
      tenantId: caller.tenantId,
      runId,
      cancelledBy: `key:${caller.keyId}`,
      ...(reason !== undefined && { reason: redactText(reason, MAX_REASON) }),
      ...(commandId !== undefined && { commandId }),
    });
  }

  /** One result for each id, in their order; an id named twice is cancelled once. */
  async cancelAll(runIds: readonly string[], cancellation: Cancellation): Promise<readonly BulkResult[]> {
    const results = new Map<string, BulkResult>();
    const waiting = new Set(runIds).values();
    const work = async (): Promise<void> => {
      for (const runId of waiting) results.set(runId, await this.resultOf(runId, cancellation));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return runIds.flatMap((runId) => results.get(runId) ?? []);
  }

  private async resultOf(runId: string, cancellation: Cancellation): Promise<BulkResult> {
    try {
      if (!runIdSchema.safeParse(runId).success) throw new NotFoundError('The run');
      const { status } = await this.cancel(runId, cancellation);
      return { runId, ok: true, status };
    } catch (err) {
      const { code, message } = toWireError(err);
      if (code === 'internal_error') this.logger.error({ err }, 'A run of many could not be cancelled');
      return { runId, ok: false, error: { code, message } };
    }
  }
}
