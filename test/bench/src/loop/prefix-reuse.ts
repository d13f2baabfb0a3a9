import type { MessageContent } from '@palimpsest/contracts';
import { countTokens } from '@palimpsest/tokens';
import { renderMessage } from '@palimpsest/transcript';
import { turnsOf, type WindowSource } from '../fidelity/measure-session.js';

/** What a provider's cache would have had of the prompts of sessions, in tokens of `o200k_base`. */
export type Reuse = {
  prompts: number;
  tokens: number;
  /** Of these, the ones at the beginning that the prompt before had too. */
  reused: number;
};

export const noReuse = (): Reuse => ({ prompts: 0, tokens: 0, reused: 0 });

/** Relative to a token that no cache knows or keeps. */
const READ = 0.1;
const WRITE = 1.25;

/** In tokens at the plain price: what is read from the cache, and what is written to it. */
export function billedCost({ tokens, reused }: Reuse): number {
  return READ * reused + WRITE * (tokens - reused);
}

/**
 * Feeds one session turn by turn, with a window before every assistant's turn. Counted are those at which the whole
 * transcript is over the budget: the same for whoever feeds.
 */
export async function measureReuse(
  messages: readonly MessageContent[],
  source: WindowSource,
  { budget, reuse }: { readonly budget: number; readonly reuse: Reuse },
): Promise<void> {
  let before = '';
  let whole = 0;
  for (const turn of turnsOf(messages)) {
    if (turn[0]?.role === 'assistant') {
      const { text } = await source.window();
      if (whole > budget && before !== '') add(reuse, before, text);
      before = text;
    }
    whole += countTokens(turn.map(renderMessage).join(''), 'o200k_base');
    await source.append(turn);
  }
}

function add(reuse: Reuse, before: string, text: string): void {
  reuse.prompts += 1;
  reuse.tokens += countTokens(text, 'o200k_base');
  reuse.reused += countTokens(commonPrefix(before, text), 'o200k_base');
}

function commonPrefix(before: string, text: string): string {
  let at = 0;
  while (at < before.length && at < text.length && before[at] === text[at]) at += 1;
  return text.slice(0, at);
}
