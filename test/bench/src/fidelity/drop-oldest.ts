import type { MessageContent, TokenCounterName } from '@palimpsest/contracts';
import { countTokens } from '@palimpsest/tokens';
import { renderMessage } from '@palimpsest/transcript';
import type { WindowSource } from './measure-session.js';

/** What most loops do: the newest whole turns that fit, nothing of the others. */
export class DropOldest implements WindowSource {
  private readonly turns: { text: string; tokens: number }[] = [];

  constructor(
    private readonly budget: number,
    private readonly counter: TokenCounterName,
  ) {}

  async append(turn: readonly MessageContent[]): Promise<void> {
    const text = turn.map(renderMessage).join('');
    this.turns.push({ text, tokens: countTokens(text, this.counter) });
  }

  async window(): Promise<{ text: string; bites: boolean }> {
    let left = this.budget;
    let first = this.turns.length;
    while (first > 0 && (this.turns[first - 1]?.tokens ?? 0) <= left) {
      first -= 1;
      left -= this.turns[first]?.tokens ?? 0;
    }
    const fed = this.turns.slice(first);
    return { text: fed.map(({ text }) => text).join(''), bites: first > 0 };
  }
}
