import type { FateRange, JsonObject, WindowPlan } from '@palimpsest/contracts';
import { toAnthropicRequest, toOpenAiMessages, type FedMessage } from '@palimpsest/transcript';
import type { WindowFormat } from './requests.js';

type Texts = { readonly entries: readonly FedMessage[]; readonly instructions: readonly FedMessage[] };

export type WindowDocument = {
  readonly runId: string;
  readonly plan: WindowPlan;
  readonly texts: Texts;
  readonly format: WindowFormat;
  readonly fates?: readonly FateRange[];
};

/** A window as the API answers it: its accounting, and `messages` ready to send to a provider. */
export function windowDocument({ runId, plan, texts, format, fates }: WindowDocument): JsonObject {
  const { window } = plan;
  return {
    runId,
    iteration: window.iteration,
    eventId: plan.eventId,
    asOfSequence: window.asOfSequence,
    lastMessageSequence: window.lastMessageSequence,
    tokenCounter: window.tokenCounter,
    tokenCount: window.tokenCount,
    unboundedTokenCount: window.unboundedTokenCount,
    instructionTokens: window.instructionTokens,
    eventIds: plan.entries.map(({ eventId }) => eventId),
    summarizedRanges: plan.summarizedRanges,
    entries: plan.entries.map((entry, index) => ({
      eventId: entry.eventId,
      kind: entry.kind,
      form: entry.form,
      rendered: texts.entries[index]?.rendered ?? '',
      tokens: entry.tokens,
    })),
    ...providerPart(texts, format),
    ...(fates && { fates: fates as unknown as JsonObject[] }),
  };
}

function providerPart({ entries, instructions }: Texts, format: WindowFormat): JsonObject {
  const messages = [...instructions, ...entries];
  const part =
    format === 'anthropic' ? toAnthropicRequest(messages) : { messages: toOpenAiMessages(messages) };
  return { format, ...(part as unknown as JsonObject) };
}
