import type { SummaryInvocation } from '@palimpsest/contracts';
import type { ModelUsage } from '@palimpsest/kernel';

/**
 * What a call was billed for, each answer of the provider by an id of its own. An answer without its numbers is left out:
 * `provider.usage` requires them (host specification §4.7), and an unknown number is not 0.
 */
export function invocationsOf(
  invocation: string,
  usages: readonly ModelUsage[],
): readonly SummaryInvocation[] {
  return usages.flatMap((usage, index) => {
    const { inputTokens, outputTokens } = usage;
    if (inputTokens === undefined || outputTokens === undefined) return [];
    const { provider, model, totalTokens, cacheReadTokens, cacheWriteTokens } = usage;
    return [
      {
        invocationId: `${invocation}.${index}`,
        usage: {
          provider,
          model,
          inputTokens,
          outputTokens,
          ...(totalTokens !== undefined && { totalTokens }),
          ...(cacheReadTokens !== undefined && { cacheReadTokens }),
          ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
        },
      },
    ];
  });
}
