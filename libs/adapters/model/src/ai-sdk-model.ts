import {
  ModelAnswerInvalidError,
  type Model,
  type ModelAnswer,
  type ModelMessage,
  type ModelRequest,
} from '@palimpsest/kernel';
import { judgeAnswer, type Judgement } from './answer/judge-answer.js';
import { repairMessages } from './answer/repair-messages.js';
import { schemaCheck, type SchemaCheck } from './answer/schema-check.js';
import { modelErrorOf } from './call/model-errors.js';
import { nameOf, type RequestOutcome } from './call/one-request.js';
import { patientRequest, type CallContext } from './call/patient-request.js';
import type { CallDraft } from './call/sdk-request.js';
import type { CallSettings } from './model-options.js';
import type { WireProvider } from './provider/wire-provider.js';
import { RefusedSchemas } from './refused-schemas.js';

type Reply = Exclude<RequestOutcome, { kind: 'failed' | 'aborted' }>;
type Unfit = Extract<Judgement, { kind: 'unfit' }>;

/** What a provider may answer to a form of answer that it does not know. */
const FORM_REFUSED = new Set([400, 422]);

/** A provider behind the AI SDK. Calls share nothing but what the provider is known to refuse. */
export class AiSdkModel implements Model {
  private readonly refusedSchemas = new RefusedSchemas();

  constructor(
    private readonly wire: WireProvider,
    private readonly settings: CallSettings,
  ) {}

  async ask(request: ModelRequest): Promise<ModelAnswer> {
    const { answer } = request;
    const check = answer.kind === 'object' ? schemaCheck(answer.check ?? answer.schema) : undefined;
    const context = this.begin();
    let messages = request.messages;
    for (let repair = 0; ; repair += 1) {
      const reply = await this.replyTo(
        context,
        draftOf(request, { messages, repair, reasoningTokens: this.settings.reasoningTokens }),
      );
      const judged = judge(reply, check);
      if (judged.kind !== 'unfit') return { ...judged, usages: context.usages };
      if (repair >= this.settings.maxRepairs) throw invalid(context, judged);
      messages = [...messages, ...repairMessages(textOf(reply), judged)];
    }
  }

  private begin(): CallContext {
    const { wire, settings } = this;
    return { wire, settings, endsAt: settings.clock.now().getTime() + settings.totalTimeoutMs, usages: [] };
  }

  /** A form of answer that the provider refuses is asked for in words, and from then on in words only. */
  private async replyTo(context: CallContext, draft: CallDraft): Promise<Reply> {
    const { answer } = draft.request;
    if (answer.kind === 'text') return settled(context, await patientRequest(context, draft));
    const inWords: CallDraft = { ...draft, mode: 'in-text', idempotencyKey: `${draft.idempotencyKey}.text` };
    if (this.refusedSchemas.has(answer.schema))
      return settled(context, await patientRequest(context, inWords));
    const outcome = await patientRequest(context, draft);
    if (!isFormRefused(outcome)) return settled(context, outcome);
    const reply = settled(context, await patientRequest(context, inWords));
    this.refusedSchemas.add(answer.schema);
    return reply;
  }
}

type DraftPart = {
  readonly messages: readonly ModelMessage[];
  readonly repair: number;
  readonly reasoningTokens: number;
};

/** Another body needs another key: under the same one a provider would repeat its first answer, or refuse. */
function draftOf(request: ModelRequest, { messages, repair, reasoningTokens }: DraftPart): CallDraft {
  return {
    request,
    messages,
    mode: 'native',
    idempotencyKey: repair === 0 ? request.invocationId : `${request.invocationId}.repair-${repair}`,
    maxOutputTokens: request.maxOutputTokens + reasoningTokens,
  };
}

function isFormRefused(outcome: RequestOutcome): boolean {
  return outcome.kind === 'failed' && FORM_REFUSED.has(outcome.failure.status ?? 0);
}

function settled(context: CallContext, outcome: RequestOutcome): Reply {
  if (outcome.kind === 'failed' || outcome.kind === 'aborted') throw modelErrorOf(context, outcome);
  return outcome;
}

type Judged = Judgement | { readonly kind: 'refusal'; readonly category?: string };

function judge(reply: Reply, check: SchemaCheck | undefined): Judged {
  if (reply.kind === 'answered') return judgeAnswer({ text: reply.text, finish: reply.finish }, check);
  return { kind: 'refusal', ...(reply.category !== undefined && { category: reply.category }) };
}

function textOf(reply: Reply): string {
  return reply.kind === 'answered' ? reply.text : '';
}

function invalid({ wire, usages }: CallContext, { defect, problems }: Unfit): ModelAnswerInvalidError {
  const keywords = [...new Set(problems.map(({ keyword }) => keyword))];
  return new ModelAnswerInvalidError({
    ...nameOf(wire),
    usages: [...usages],
    defect,
    ...(keywords.length > 0 && { keywords }),
  });
}
