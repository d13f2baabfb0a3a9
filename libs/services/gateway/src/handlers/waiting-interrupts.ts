import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject, RunHeader } from '@palimpsest/contracts';
import { CLOCK, type Clock } from '@palimpsest/kernel';
import type { WaitingNode } from '@palimpsest/workflow';
import { tokenExpiry, type TokenIntent } from '../domain/interrupt-token.js';
import { awaitedOf } from '../domain/workflow-snapshot.js';
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
    const waiting = awaitedOf(run);
    if (!waiting) return undefined;
    const { nodeId, interrupt } = waiting;
    const { interruptId, key, kind, data, resumeSchema } = interrupt;
    return {
      interruptId,
      key,
      kind,
      data,
      ...(resumeSchema && { resumeSchema }),
      nodeId,
      ...(mayAnswer && (await this.credentials(run, waiting))),
    };
  }

  private async credentials(run: RunHeader, waiting: WaitingNode): Promise<JsonObject> {
    const interruptToken = await this.token(run, waiting, 'resolve');
    return {
      interruptToken,
      callbackUrl: `/v1/interrupts/${interruptToken}`,
      inspectToken: await this.token(run, waiting, 'inspect'),
    };
  }

  private token(run: RunHeader, { nodeId, interrupt }: WaitingNode, intent: TokenIntent): Promise<string> {
    const { interruptId, requestedAt, timeoutMs } = interrupt;
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
