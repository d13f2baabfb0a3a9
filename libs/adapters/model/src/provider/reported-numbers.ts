import type { UsageNumbers } from './wire-provider.js';

/** What of these is a count. Anything else that a provider reports is as good as nothing. */
export function reportedNumbers(values: Readonly<Record<keyof UsageNumbers, unknown>>): UsageNumbers {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isCount(value)));
}

/** A field of what a provider reported, `undefined` where there is none. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );
}

/** A provider's code is a word: whatever looks otherwise may be content. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z_]{0,63}$/.test(value) ? value : undefined;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
