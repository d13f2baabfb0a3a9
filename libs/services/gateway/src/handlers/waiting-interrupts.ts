import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject, RunHeader } from '@palimpsest/contracts';
import { CLOCK, type Clock } from '@palimpsest/kernel';
import { tokenExpiry, type TokenIntent } from '../domain/interrupt-token.js';
import { waitingInterrupts, workflowStateOf, type WaitingInterrupt } from '../domain/workflow-snapshot.js';
import { InterruptTokens } from './interrupt-tokens.js';

/** The interrupt of a snapshot, and the tokens that answer and show it. */
@Injectable()
export class WaitingInterrupts {
  constructor(
    @Inject(InterruptTokens) private readonly tokens: InterruptTokens,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** That of the run's current node; undefined where it waits for nothing. Tokens only for who may answer. */
  async describe(run: RunHeader, mayAnswer: boolean): Promise<JsonObject | undefined> {
    const state = workflowStateOf(run);
    const interrupt = state && waitingInterrupts(state)[0];
    if (!interrupt) return undefined;
    const { interruptId, key, kind, data, resumeSchema, nodeId } = interrupt;
    return {
      interruptId,
      key,
      kind,
      data,
      ...(resumeSchema && { resumeSchema }),
      nodeId,
      ...(mayAnswer && (await this.credentials(run, interrupt))),
    };
  }

  private async credentials(run: RunHeader, interrupt: WaitingInterrupt): Promise<JsonObject> {
    const interruptToken = await this.token(run, interrupt, 'resolve');
    return {
      interruptToken,
      callbackUrl: `/v1/interrupts/${interruptToken}`,
      inspectToken: await this.token(run, interrupt, 'inspect'),
    };
  }

  private token(run: RunHeader, interrupt: WaitingInterrupt, intent: TokenIntent): Promise<string> {
    const { nodeId, interruptId, requestedAt, timeoutMs } = interrupt;
    return this.tokens.sign({
      tenantId: run.tenantId,
      runId: run.runId,
      nodeId,
      interruptId,
      expiresAt: tokenExpiry({ now: this.clock.now(), requestedAt, timeoutMs }),
      intent,
    });
  }
}
