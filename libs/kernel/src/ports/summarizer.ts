import type { MessageRole, SummaryContent, TokenCounterName, ToolCall } from '@palimpsest/contracts';

export type SummarizedMessage = {
  readonly sequence: number;
  readonly role: MessageRole;
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  /** Name of the tool a tool message answers for, where it is known. */
  readonly toolName?: string;
};

export type SummaryRequest = {
  readonly tokenCounter: TokenCounterName;
  /** Most tokens of the summary as it is fed, label and wrapper included. */
  readonly maxTokens: number;
  /** The summary that the new one absorbs. */
  readonly previous?: SummaryContent;
  /** What it newly stands for, in log order. */
  readonly messages: readonly SummarizedMessage[];
};

/** Makes one summary. `undefined`: nothing worth keeping fits, the caller evicts instead. */
export interface Summarizer {
  summarize(request: SummaryRequest): Promise<SummaryContent | undefined>;
}
