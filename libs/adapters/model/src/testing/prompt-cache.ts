import type { ScriptedUsage } from '@palimpsest/kernel/testing';
import type { WireRequest } from './wire-request.js';

/** A token of prose is about this many characters. */
const CHARS_PER_TOKEN = 4;

/** A prompt as a provider's cache sees it: from its first byte on, message after message. */
export function promptOf({ systemBytes, messages }: Pick<WireRequest, 'systemBytes' | 'messages'>): string {
  return [systemBytes, ...messages.map(({ role, text }) => `${role}\u0000${text}`)].join('\u0001');
}

/** Length of what two texts have in common at their beginning, in characters. */
export function commonPrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at += 1) if (one.charCodeAt(at) !== other.charCodeAt(at)) return at;
  return most;
}

/** A cache of prefixes that forgets nothing: what a prompt has in common with an earlier one was read, the rest written. */
export class PromptCache {
  readonly #prompts: string[] = [];

  usageOf(request: WireRequest, answer: string): ScriptedUsage {
    const prompt = promptOf(request);
    const reused = this.#prompts.reduce((most, earlier) => Math.max(most, commonPrefix(earlier, prompt)), 0);
    this.#prompts.push(prompt);
    const input = tokensIn(prompt.length);
    const cacheRead = Math.min(input, Math.floor(reused / CHARS_PER_TOKEN));
    return { input, output: tokensIn(answer.length), cacheRead, cacheWrite: input - cacheRead };
  }
}

function tokensIn(characters: number): number {
  return Math.ceil(characters / CHARS_PER_TOKEN);
}
