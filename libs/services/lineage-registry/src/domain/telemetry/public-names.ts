import { digestOf } from '@palimpsest/context-efficiency';

/** Providers by the names under which usage is recorded. Who answers behind `openai-compatible` nobody says. */
const PROVIDERS: ReadonlyMap<string, 'claude' | 'codex'> = new Map([
  ['anthropic', 'claude'],
  ['claude', 'claude'],
  ['openai', 'codex'],
  ['codex', 'codex'],
]);

/** `claude-opus-4-1`, `claude-3-5-haiku-20241022`, `claude-sonnet-4-latest`, and the bare words of the contract. */
const CLAUDE = /^(?:claude-(?:\d+-){0,2})?(opus|sonnet|haiku|fable)(?:-\d+){0,3}(?:-latest)?$/;
/** With or without the day of a snapshot. */
const GPT = /^(gpt-5(?:\.6-sol|\.6-terra)?)(?:-\d{4}-\d{2}-\d{2})?$/;

/** 32 of the 64 digits: 128 bits. */
const DIGITS = 32;

export function providerNameOf(provider: string): 'claude' | 'codex' | 'other' {
  return PROVIDERS.get(provider) ?? 'other';
}

/**
 * A model as the contract may name it (§7.5): a name that is known in full, or a pseudonym. The pseudonym is
 * a hash without a key, so that a model has the same one everywhere: who guesses a name can tell whether it is that.
 */
export function modelNameOf(model: string): string {
  const known = CLAUDE.exec(model)?.[1] ?? GPT.exec(model)?.[1];
  return known ?? `anon-model-${hexOf(model)}`;
}

/** A run as a corpus (contract §2), by a hash without a key: the same for all that is recorded of it. */
export function corpusOf({ tenantId, runId }: { readonly tenantId: string; readonly runId: string }): string {
  return `anon-${hexOf(`${tenantId}/${runId}`)}`;
}

function hexOf(text: string): string {
  return digestOf(text).slice('sha256:'.length, 'sha256:'.length + DIGITS);
}
