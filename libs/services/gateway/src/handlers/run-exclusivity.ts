import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { isTerminalStatus, RUN_STATUSES, type RunHeader } from '@palimpsest/contracts';
import { EVENT_LOG, isPalimpsestError, type EventLog, type RacePoints } from '@palimpsest/kernel';
import { RunAlreadyActiveError } from '../domain/workflow-errors.js';
import { workflowStateOf } from '@palimpsest/workflow';
import { GATEWAY_DATABASE, GATEWAY_OPTIONS, RACE_POINTS, type GatewayOptions } from '../gateway-options.js';
import {
  holderOf,
  leavePlace,
  placesToCheck,
  takeOverPlace,
  takePlace,
  type ActiveHolder,
  type ActivePlace,
} from '../store/active-runs.js';
import type { GatewayTables } from '../store/tables.js';

/** The place is the run's, which has not been started yet. */
export const PLACE_TAKEN = 'gateway.dedup.place-taken';

const PAGE = 100;
const ACTIVE_STATUSES = RUN_STATUSES.filter((status) => !isTerminalStatus(status));

/** `X-Dedup: enforce` (host specification §3.1): one run at a time of a tenant, workflow and scope. */
@Injectable()
export class RunExclusivity {
  constructor(
    @Inject(GATEWAY_DATABASE) private readonly db: Kysely<GatewayTables>,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Inject(RACE_POINTS) private readonly races: RacePoints,
  ) {}

  /**
   * Starts the run where no other has the place. A start whose outcome is unknown keeps it: the run is looked up by
   * whoever asks next.
   * @throws RunAlreadyActiveError
   */
  async alone<Started>(place: ActivePlace, runId: string, start: () => Promise<Started>): Promise<Started> {
    await this.take(place, runId);
    await this.races.reach(PLACE_TAKEN);
    try {
      await this.checkOthers(place, runId);
      return await start();
    } catch (error) {
      const refused =
        error instanceof RunAlreadyActiveError || (isPalimpsestError(error) && !error.retryable);
      if (refused) await this.giveBack(place, runId);
      throw error;
    }
  }

  /** Frees places whose runs have ended and that nobody has asked for since; returns how many. */
  async sweep(): Promise<number> {
    const places = await placesToCheck(this.db, PAGE);
    let freed = 0;
    for (const { runId, ...place } of places) {
      const header = await this.log.header(place.tenantId, runId);
      if (header && !isTerminalStatus(header.status)) continue;
      await leavePlace(this.db, place, runId);
      freed += 1;
    }
    return freed;
  }

  /** The insert and the take-over are single statements on the primary key: of any number at once, one wins. */
  private async take(place: ActivePlace, runId: string): Promise<void> {
    for (;;) {
      if (await takePlace(this.db, place, runId)) return;
      const holder = await holderOf(this.db, place, this.options.idempotencyLeaseMs);
      if (!holder) continue;
      if (holder.runId === runId) return;
      if (await this.isActive(place, holder)) throw new RunAlreadyActiveError(holder.runId);
      if (await takeOverPlace(this.db, place, { from: holder.runId, to: runId })) return;
    }
  }

  /** Where that cannot be done now, whoever asks next finds that there is no such run. */
  private async giveBack(place: ActivePlace, runId: string): Promise<void> {
    try {
      const started = await this.log.header(place.tenantId, runId);
      if (!started) await leavePlace(this.db, place, runId);
    } catch (err) {
      if (!isPalimpsestError(err)) throw err;
    }
  }

  private async isActive({ tenantId }: ActivePlace, { runId, young }: ActiveHolder): Promise<boolean> {
    const header = await this.log.header(tenantId, runId);
    return header ? !isTerminalStatus(header.status) : young;
  }

  /** Runs that were started without asking to be alone are found in the log. */
  private async checkOthers(place: ActivePlace, runId: string): Promise<void> {
    for (const status of ACTIVE_STATUSES) {
      let cursor: string | undefined;
      do {
        const { tenantId, workflowId } = place;
        const page = await this.log.listRuns({
          tenantId,
          workflowId,
          status,
          limit: PAGE,
          ...(cursor !== undefined && { cursor }),
        });
        const other = page.runs.find((run) => run.runId !== runId && hasPlace(run, place));
        if (other) throw new RunAlreadyActiveError(other.runId);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    }
  }
}

/** Own-loop runs keep no scope: those that asked to be alone have their place, and no other can be told. */
function hasPlace(run: RunHeader, { scopeId }: ActivePlace): boolean {
  const state = workflowStateOf(run.state);
  return state !== undefined && (state.scopeId ?? '') === scopeId;
}
