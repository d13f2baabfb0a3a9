import type {
  MessageRole,
  SummaryContent,
  SummaryInvocation,
  TokenCounterName,
  ToolCall,
} from '@palimpsest/contracts';

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
  /** The summaries that the new one absorbs, oldest first. */
  readonly absorbed: readonly SummaryContent[];
  /** What it newly stands for, in log order. */
  readonly messages: readonly SummarizedMessage[];
};

/** A summary, and what it took. `invocations`: calls of models, also those whose answers were of no use. */
export type SummaryMade = {
  /** `undefined`: nothing worth keeping fits, the caller evicts instead. */
  readonly summary: SummaryContent | undefined;
  readonly by: 'model' | 'extractive';
  readonly invocations: readonly SummaryInvocation[];
};

/** Makes one summary. A model may fail with a RetryableError; what can answer without one falls back to that. */
export interface Summarizer {
  summarize(request: SummaryRequest): Promise<SummaryMade>;
}
