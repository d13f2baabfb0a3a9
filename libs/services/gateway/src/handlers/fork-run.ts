import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ForkedRun, ForkRun, JsonValue, RunHeader, RunStatus } from '@palimpsest/contracts';
import { ID_SOURCE, type IdSource } from '@palimpsest/kernel';
import type { Caller } from '../domain/api-key.js';
import { canonicalBody } from '../domain/request-digest.js';
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

  async fork(forking: Forking): Promise<ForkAnswer> {
    const { source, request, attempt } = forking;
    const command = {
      tenantId: source.tenantId,
      runId: source.runId,
      forkRunId: attempt.runId ?? this.ids.runId(),
      mode: request.mode,
      ...(request.fromSeq !== undefined && { fromSeq: request.fromSeq }),
      ...overlayDigestOf(request),
    };
    const forked = (await this.allowedBefore(forking, command)) ?? (await this.allowed(forking, command));
    const statusUrl = `/v1/runs/${forked.runId}`;
    return { ...forked, eventsUrl: `${statusUrl}/events`, statusUrl };
  }

  /** An attempt before this one may have been allowed under limits and defaults that the host no longer has. */
  private async allowedBefore({ attempt }: Forking, command: ForkRun): Promise<ForkedRun | undefined> {
    if (attempt.runId === undefined || command.overlayDigest === undefined) return undefined;
    return this.forks.forkAgain(command);
  }

  private async allowed({ caller, source, request }: Forking, command: ForkRun): Promise<ForkedRun> {
    const overlay = await this.overlays.resolve(caller, source, request);
    return this.forks.fork({ ...command, ...(overlay && { overlay }) });
  }
}

/** Of what was asked for, before it is resolved. */
function overlayDigestOf({ runOptionsOverlay: asked = {} }: ForkRunRequest): Pick<ForkRun, 'overlayDigest'> {
  if (Object.keys(asked).length === 0) return {};
  return {
    overlayDigest: createHash('sha256')
      .update(canonicalBody(asked as JsonValue))
      .digest('hex'),
  };
}
