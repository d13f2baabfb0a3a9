import type { ProviderUsage } from '@palimpsest/contracts';
import type { ModelUsage } from './ports/model.js';

/**
 * The payload of `provider.usage` (host specification §4.7) for one answer of a provider; undefined where the provider did
 * not say what the protocol asks for: an unknown number is not 0.
 */
export function providerUsageOf(usage: ModelUsage): ProviderUsage | undefined {
  const { provider, model, inputTokens, outputTokens } = usage;
  const { totalTokens, cacheReadTokens, cacheWriteTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return {
    provider,
    model,
    inputTokens,
    outputTokens,
    ...(totalTokens !== undefined && { totalTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  };
}
