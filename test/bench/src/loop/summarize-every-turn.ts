import type { MessageContent, SummaryContent, TokenCounterName } from '@palimpsest/contracts';
import type { SummarizedMessage, Summarizer } from '@palimpsest/kernel';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, renderMessage, renderSummary } from '@palimpsest/transcript';
import type { WindowSource } from '../fidelity/measure-session.js';

type Turn = {
  readonly messages: readonly SummarizedMessage[];
  readonly text: string;
  readonly tokens: number;
};

/** Of a budget, as our windows give it. */
const SUMMARY_SHARE = 0.4;

/** A running summary of all but the newest turns that fit, made anew in each turn in which one leaves. */
export class SummarizeEveryTurn implements WindowSource {
  private readonly tail: Turn[] = [];
  private readonly summarizer: Summarizer = extractiveSummarizer(countTokens);
  private readonly cap: number;
  private summary: SummaryContent | undefined;
  private sequence = 0;

  constructor(
    private readonly budget: number,
    private readonly counter: TokenCounterName,
  ) {
    this.cap = Math.floor(budget * SUMMARY_SHARE);
  }

  async append(turn: readonly MessageContent[]): Promise<void> {
    const messages = turn.map((message) => this.placed(message));
    const text = turn.map(renderMessage).join('');
    this.tail.push({ messages, text, tokens: countTokens(text, this.counter) });
    await this.summarize(this.leaving());
  }

  async window(): Promise<{ text: string; bites: boolean }> {
    const head = this.summary ? renderSummary(this.summary.text) : '';
    return { text: head + this.tail.map(({ text }) => text).join(''), bites: this.summary !== undefined };
  }

  private placed({ role, text, toolCalls }: MessageContent): SummarizedMessage {
    this.sequence += 1;
    return { sequence: this.sequence, role, text, ...(toolCalls && { toolCalls }) };
  }

  private leaving(): readonly Turn[] {
    const left: Turn[] = [];
    let tokens = this.tail.reduce((sum, turn) => sum + turn.tokens, 0);
    while (this.tail.length > 1 && tokens > this.budget - this.cap) {
      const [oldest] = this.tail.splice(0, 1);
      if (!oldest) break;
      left.push(oldest);
      tokens -= oldest.tokens;
    }
    return left;
  }

  private async summarize(turns: readonly Turn[]): Promise<void> {
    if (turns.length === 0) return;
    const made = await this.summarizer.summarize({
      tokenCounter: this.counter,
      maxTokens: this.cap,
      absorbed: this.summary ? [this.summary] : [],
      messages: turns.flatMap(({ messages }) => messages),
    });
    this.summary = made.summary ?? this.summary;
  }
}
