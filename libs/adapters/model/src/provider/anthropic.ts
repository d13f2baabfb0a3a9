import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelUsage } from 'ai';
import type { ModelProvider } from '../model-options.js';
import { guardedFetch } from './guarded-fetch.js';
import { quietModel } from './quiet-model.js';
import { fieldOf, reportedNumbers, wordOf } from './reported-numbers.js';
import type { UsageNumbers, WireProvider } from './wire-provider.js';

type Options = Extract<ModelProvider, { provider: 'anthropic' }>;

/** Said aloud: the SDK would take another from the environment. */
const BASE_URL = 'https://api.anthropic.com/v1';

/** Messages of Anthropic, or of a server that speaks them. */
export function anthropic({ baseUrl, apiKey, model }: Options): WireProvider {
  const sdk = createAnthropic({ baseURL: baseUrl ?? BASE_URL, apiKey, fetch: guardedFetch });
  return {
    provider: 'anthropic',
    modelName: model,
    sdkModel: quietModel(sdk.messages(model)),
    takesSeed: false,
    cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    usageNumbers,
    refusalCategory: ({ providerMetadata }) =>
      wordOf(fieldOf(providerMetadata, 'anthropic', 'stopDetails', 'category')),
  };
}

/** The provider counts cached input apart from the rest; the SDK's total has all of it. */
function usageNumbers(usage: LanguageModelUsage): UsageNumbers {
  return reportedNumbers({
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    totalTokens: undefined,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens,
    cacheReadTokens: fieldOf(usage.raw, 'cache_read_input_tokens'),
    cacheWriteTokens: fieldOf(usage.raw, 'cache_creation_input_tokens'),
  });
}
