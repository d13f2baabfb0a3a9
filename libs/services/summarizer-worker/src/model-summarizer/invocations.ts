import type { SummaryInvocation } from '@palimpsest/contracts';
import { providerUsageOf, type ModelUsage } from '@palimpsest/kernel';

/**
 * What a call was billed for, each answer of the provider by an id of its own. An answer without its numbers is left out:
 * `provider.usage` requires them.
 */
export function invocationsOf(
  invocation: string,
  usages: readonly ModelUsage[],
): readonly SummaryInvocation[] {
  return usages.flatMap((answered, index) => {
    const usage = providerUsageOf(answered);
    return usage ? [{ invocationId: `${invocation}.${index}`, usage }] : [];
  });
}
