import { Inject, Injectable } from '@nestjs/common';
import { nodeIdSchema, type JsonObject, type RunHeader, type RunStatusAnswer } from '@palimpsest/contracts';
import { CLOCK, EVENT_LOG, hasCode, type Clock, type EventLog } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import { InterruptAlreadyResolvedError, InterruptNotFoundError, workflowStateOf } from '@palimpsest/workflow';
import type { TokenPayload } from '../domain/interrupt-token.js';
import type { SentJson } from '../domain/sent-json.js';
import { InspectOnlyTokenError, InterruptExpiredError } from '../domain/workflow-errors.js';
import { openInterruptAt } from '../domain/workflow-snapshot.js';
import { RUN_LOG_COMMANDS, type RunLogCommands } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';

/** Who answers what, under which attempt. */
export type InterruptAnswer = {
  readonly resumeValue: SentJson;
  readonly decidedBy: string;
  readonly attempt: Attempt;
};

/** Answers to interrupts, from key holders and from whoever holds a token (host specification §3.5). */
@Injectable()
export class AnswerInterrupts {
  constructor(
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws interrupt_not_found, interrupt_already_resolved, interrupt_cancelled, validation_error */
  async ofNode(run: RunHeader, nodeId: string, answer: InterruptAnswer): Promise<RunStatusAnswer> {
    const { tenantId, runId } = run;
    const possible = nodeIdSchema.safeParse(nodeId).success && workflowStateOf(run.state) !== undefined;
    if (!possible) throw new InterruptNotFoundError();
    return this.runLog.resolveInterrupt({ tenantId, runId, nodeId, ...recorded(answer) });
  }

  /** @throws InspectOnlyTokenError, InterruptExpiredError, InterruptAlreadyResolvedError, validation_error */
  async ofToken(token: TokenPayload, answer: Omit<InterruptAnswer, 'decidedBy'>): Promise<RunStatusAnswer> {
    if (token.intent !== 'resolve') throw new InspectOnlyTokenError();
    this.checkExpiry(token);
    const { tenantId, runId, nodeId, interruptId } = token;
    try {
      return await this.runLog.resolveInterrupt({
        tenantId,
        runId,
        nodeId,
        interruptId,
        ...recorded({ ...answer, decidedBy: 'token' }),
      });
    } catch (error) {
      throw refusalOfToken(error);
    }
  }

  /** The interrupt that a token shows, whichever its intent. */
  async ofTokenShown(token: TokenPayload): Promise<JsonObject> {
    this.checkExpiry(token);
    const { tenantId, runId, nodeId, interruptId } = token;
    const header = await this.log.header(tenantId, runId);
    if (!header) throw new InterruptNotFoundError();
    const open = openInterruptAt(header, nodeId);
    if (open?.interruptId !== interruptId) throw new InterruptAlreadyResolvedError();
    const { kind, data, resumeSchema } = open;
    const expiresAt = new Date(token.expiresAt).toISOString();
    return { runId, nodeId, interruptId, kind, data, ...(resumeSchema && { resumeSchema }), expiresAt };
  }

  private checkExpiry({ expiresAt }: TokenPayload): void {
    if (this.clock.now().getTime() >= expiresAt) throw new InterruptExpiredError();
  }
}

function recorded({ resumeValue, decidedBy, attempt: { commandId } }: InterruptAnswer) {
  return { resumeValue: redactJson(resumeValue), decidedBy, ...(commandId !== undefined && { commandId }) };
}

/** The token was made for an interrupt that was open: whatever became of it, it takes no answer any more. */
function refusalOfToken(error: unknown): unknown {
  if (hasCode(error, 'not_found')) return new InterruptNotFoundError();
  const over = hasCode(error, 'interrupt_not_found') || hasCode(error, 'interrupt_cancelled');
  return over ? new InterruptAlreadyResolvedError() : error;
}
