import type { MessageContent, SummaryContent, TokenCounterName } from '@palimpsest/contracts';
import type { CountTokens, SummarizedMessage, Summarizer } from '@palimpsest/kernel';
import { cutMessage, renderMessage, renderSummary, type Measure } from '@palimpsest/transcript';

export type WindowSettings = {
  readonly budget: number;
  readonly counter: TokenCounterName;
  /** Share of the budget that a summary may take. */
  readonly summaryShare: number;
  /** Share of the budget that a compaction cuts down to. */
  readonly targetShare: number;
  /** Share of the room beside the kept turns that a summary may take where that is more. */
  readonly fill: number;
  /** A large turn takes what the window has left, where that is more than its share. */
  readonly greedy: boolean;
};

export type WindowTools = {
  readonly count: CountTokens;
  readonly measure: Measure;
  readonly summarizer: Summarizer;
};

type Turn = { readonly sequences: readonly number[]; readonly text: string; readonly tokens: number };

/**
 * The windows of one session as the sliding-window strategy feeds them, in memory: whole while the history fits,
 * else summary and newest turns. It follows the planner's rules, so that the measure can be taken without one.
 */
export class SlidingWindow {
  private readonly messages: MessageContent[] = [];
  private turns: Turn[] = [];
  private summary: { content: SummaryContent; text: string; tokens: number } | undefined;
  private summarizedUpTo = 0;
  /** True once the history did not fit whole. */
  bites = false;

  constructor(
    private readonly settings: WindowSettings,
    private readonly tools: WindowTools,
  ) {}

  /** A turn: one message, or a call with its results. */
  append(messages: readonly MessageContent[]): void {
    const { budget, counter, summaryShare } = this.settings;
    const first = this.messages.length;
    this.messages.push(...messages);
    const allowance = Math.max(
      budget - Math.floor(budget * summaryShare),
      this.settings.greedy ? budget - this.total() : 0,
    );
    const text = this.rendered(messages, first, allowance);
    this.turns.push({
      sequences: messages.map((_, index) => first + index),
      text,
      tokens: this.tools.count(text, counter),
    });
  }

  private rendered(messages: readonly MessageContent[], first: number, allowance: number): string {
    const whole = messages.map(renderMessage).join('');
    if (this.tools.count(whole, this.settings.counter) <= allowance) return whole;
    this.bites = true;
    let room = allowance;
    return messages
      .map((message, index) => {
        const share = Math.floor(room / (messages.length - index));
        const full = renderMessage(message);
        const size = this.tools.count(full, this.settings.counter);
        const cut =
          size <= share
            ? full
            : (cutMessage(message, { sequence: first + index, max: share, measure: this.tools.measure })
                ?.rendered ?? '');
        room -= this.tools.count(cut, this.settings.counter);
        return cut;
      })
      .join('');
  }

  /** The text of the window as of now. */
  async text(): Promise<string> {
    if (this.total() > this.settings.budget) await this.compact();
    return (this.summary?.text ?? '') + this.turns.map((turn) => turn.text).join('');
  }

  private total(): number {
    return this.turns.reduce((sum, turn) => sum + turn.tokens, this.summary?.tokens ?? 0);
  }

  private async compact(): Promise<void> {
    this.bites = true;
    const { budget, counter, summaryShare, targetShare } = this.settings;
    const cap = Math.floor(budget * summaryShare);
    const room = Math.max(0, Math.floor(budget * targetShare) - cap);
    let kept = 1;
    let size = this.turns.at(-1)?.tokens ?? 0;
    while (kept < this.turns.length && size + (this.turns.at(-kept - 1)?.tokens ?? 0) <= room) {
      kept += 1;
      size += this.turns.at(-kept)?.tokens ?? 0;
    }
    this.turns = this.turns.slice(-kept);
    const upTo = this.turns[0]?.sequences[0] ?? this.messages.length;
    const content = await this.tools.summarizer.summarize({
      tokenCounter: counter,
      maxTokens: Math.max(cap, Math.floor((budget - size) * this.settings.fill)),
      ...(this.summary && { previous: this.summary.content }),
      messages: this.newlyReplaced(upTo),
    });
    this.summarizedUpTo = upTo;
    if (!content) return;
    const text = renderSummary(content.text);
    this.summary = { content, text, tokens: this.tools.count(text, counter) };
  }

  private newlyReplaced(upTo: number): SummarizedMessage[] {
    return this.messages.slice(this.summarizedUpTo, upTo).map((message, index) => ({
      sequence: this.summarizedUpTo + index,
      role: message.role,
      text: message.text,
      ...(message.toolCalls && { toolCalls: message.toolCalls }),
    }));
  }
}
