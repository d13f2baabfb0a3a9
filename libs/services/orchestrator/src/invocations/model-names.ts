import type { ModelName } from '@palimpsest/kernel';

/** The provider that is configured, the model that answers where nobody wishes for another, and all that may be asked. */
export type ModelNames = ModelName & {
  /** Beside `model`, which is always allowed. */
  readonly allowed?: readonly string[];
};

/** The model that is asked, of the wishes the first; undefined where it is none that this host asks. */
export function askedModel(
  { provider, model, allowed = [] }: ModelNames,
  ...wishes: readonly (string | undefined)[]
): ModelName | undefined {
  const wish = wishes.find((name) => name !== undefined) ?? model;
  return wish === model || allowed.includes(wish) ? { provider, model: wish } : undefined;
}

/** Provider and model, as part of every invocation's id: `anthropic:claude-opus-5`. */
export function providerKeyOf({ provider, model }: ModelName): string {
  return `${provider}:${model}`;
}
