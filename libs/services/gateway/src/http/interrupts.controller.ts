import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject, RunStatusAnswer } from '@palimpsest/contracts';
import { parseRequest } from '../domain/parse-request.js';
import { pathIdSchema, resolveInterruptRequestSchema } from '../domain/requests.js';
import { AnswerInterrupts } from '../handlers/answer-interrupts.js';
import { InterruptTokens } from '../handlers/interrupt-tokens.js';
import { RunAccess } from '../handlers/run-access.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

/** Host specification §3.5. */
@Controller()
export class InterruptsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(AnswerInterrupts) private readonly answers: AnswerInterrupts,
    @Inject(InterruptTokens) private readonly tokens: InterruptTokens,
  ) {}

  @Operation('resolveInterrupt')
  async resolve(
    @Exchange() exchange: Exchange,
    @Param('runId') runId: string,
    @Param('nodeId') nodeId: string,
  ): Promise<RunStatusAnswer> {
    const run = await this.runs.header(exchange.tenantId, runId);
    parseRequest(pathIdSchema, nodeId, 'nodeId');
    const { resumeValue } = parseRequest(resolveInterruptRequestSchema, exchange.request.body);
    const decidedBy = `key:${exchange.caller.keyId}`;
    return this.keyed.run(exchange, (attempt) =>
      this.answers.ofNode(run, nodeId, { resumeValue, decidedBy, attempt }),
    );
  }

  /** The token is the credential: whose run it is stands in it. */
  @Operation('resolveByToken')
  async resolveByToken(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('token') text: string,
  ): Promise<RunStatusAnswer> {
    const token = await this.tokens.read(text);
    const { resumeValue } = parseRequest(resolveInterruptRequestSchema, request.body);
    // A snapshot read later shows another token for the same interrupt: the same request all the same.
    const { tenantId, runId, nodeId, interruptId, intent } = token;
    const named = { runId, nodeId, interruptId, intent };
    return this.keyed.run({ request, reply, tenantId, named }, (attempt) =>
      this.answers.ofToken(token, { resumeValue, attempt }),
    );
  }

  @Operation('inspectInterrupt')
  async inspect(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('token') text: string,
  ): Promise<JsonObject> {
    reply.header('cache-control', 'no-store');
    return this.answers.ofTokenShown(await this.tokens.read(text));
  }
}
