import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelUsage } from 'ai';
import type { ModelProvider } from '../model-options.js';
import { guardedFetch } from './guarded-fetch.js';
import { quietModel } from './quiet-model.js';
import { fieldOf, reportedNumbers, wordOf } from './reported-numbers.js';
import type { UsageNumbers, WireProvider } from './wire-provider.js';

type Options = Extract<ModelProvider, { provider: 'openai-compatible' }>;

const NAME = 'openai-compatible';

/** OpenAI's own reasoning models refuse `max_tokens`, and other servers do not know its successor. */
const NEW_CAP_HOSTS = /(^|\.)openai\.com$/;

/** Chat completions: OpenAI, vLLM, Ollama, LM Studio and whatever else speaks them. */
export function openAiCompatible({ baseUrl, apiKey, model }: Options): WireProvider {
  const newCap = NEW_CAP_HOSTS.test(new URL(baseUrl).hostname);
  const sdk = createOpenAICompatible({
    name: 'openaiCompatible',
    baseURL: baseUrl,
    ...(apiKey !== undefined && { apiKey }),
    supportsStructuredOutputs: true,
    fetch: guardedFetch,
    ...(newCap && { transformRequestBody: withNewCap }),
  });
  return {
    provider: NAME,
    modelName: model,
    sdkModel: quietModel(sdk.chatModel(model)),
    takesSeed: true,
    // The strict form takes few schemas, and what comes is validated anyway.
    objectOptions: { openaiCompatible: { strictJsonSchema: false } },
    usageNumbers,
    refusalCategory: ({ rawFinishReason }) =>
      rawFinishReason === 'stop' ? undefined : wordOf(rawFinishReason),
  };
}

function withNewCap({ max_tokens: cap, ...body }: Record<string, unknown>): Record<string, unknown> {
  return cap === undefined ? body : { ...body, max_completion_tokens: cap };
}

function usageNumbers({ raw }: LanguageModelUsage): UsageNumbers {
  return reportedNumbers({
    inputTokens: fieldOf(raw, 'prompt_tokens'),
    outputTokens: fieldOf(raw, 'completion_tokens'),
    totalTokens: fieldOf(raw, 'total_tokens'),
    reasoningTokens: fieldOf(raw, 'completion_tokens_details', 'reasoning_tokens'),
    cacheReadTokens: fieldOf(raw, 'prompt_tokens_details', 'cached_tokens'),
    cacheWriteTokens: fieldOf(raw, 'prompt_tokens_details', 'cache_write_tokens'),
  });
}
