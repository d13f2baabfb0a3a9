import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@palimpsest/contracts';
import type { Caller } from '../domain/api-key.js';
import { runSnapshotOf, type RunSnapshot } from '../domain/run-snapshot.js';
import { RunAccess } from './run-access.js';
import { WaitingInterrupts } from './waiting-interrupts.js';

export type RunDocument = RunSnapshot & { readonly interrupt?: JsonObject };

/** Snapshots as a caller may see them. */
@Injectable()
export class RunDocuments {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(WaitingInterrupts) private readonly interrupts: WaitingInterrupts,
  ) {}

  async read({ tenantId, scopes }: Caller, runId: string): Promise<RunDocument> {
    const run = await this.runs.header(tenantId, runId);
    const interrupt = await this.interrupts.describe(run, scopes.includes('approvals:respond'));
    return { ...runSnapshotOf(run), ...(interrupt && { interrupt }) };
  }
}
