import { Inject, Injectable } from '@nestjs/common';
import type { RunHeader, RunStatus } from '@palimpsest/contracts';
import { ID_SOURCE, type IdSource } from '@palimpsest/kernel';
import type { Caller } from '../domain/api-key.js';
import type { ForkRunRequest } from '../domain/requests.js';
import { RUN_FORKS, type RunForks } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';
import { ResolveOverlayHandler } from './resolve-overlay.js';

/** Host specification §6.1. */
export type ForkAnswer = {
  readonly runId: string;
  readonly sourceRunId: string;
  readonly fromSeq: number;
  readonly mode: 'replay' | 'branch';
  readonly status: RunStatus;
  readonly eventsUrl: string;
  readonly statusUrl: string;
};

export type Forking = {
  readonly caller: Pick<Caller, 'testKey'>;
  readonly source: RunHeader;
  readonly request: ForkRunRequest;
  readonly attempt: Attempt;
};

@Injectable()
export class ForkRunHandler {
  constructor(
    @Inject(RUN_FORKS) private readonly forks: RunForks,
    @Inject(ResolveOverlayHandler) private readonly overlays: ResolveOverlayHandler,
    @Inject(ID_SOURCE) private readonly ids: IdSource,
  ) {}

  async fork({ caller, source, request, attempt }: Forking): Promise<ForkAnswer> {
    const overlay = await this.overlays.resolve(caller, source, request);
    const forked = await this.forks.fork({
      tenantId: source.tenantId,
      runId: source.runId,
      forkRunId: attempt.runId ?? this.ids.runId(),
      mode: request.mode,
      ...(request.fromSeq !== undefined && { fromSeq: request.fromSeq }),
      ...(overlay && { overlay }),
    });
    const statusUrl = `/v1/runs/${forked.runId}`;
    return { ...forked, eventsUrl: `${statusUrl}/events`, statusUrl };
  }
}
