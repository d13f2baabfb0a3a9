/** Roles as the log knows them; `developer` is kept as `system`. */
export type MessageRole = 'system' | 'user' | 'assistant' | 'tool';

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; not parsed. */
  readonly arguments: string;
};

/**
 * One message as it stands in the artifact store (`artifactType: "message"`): normalised once, at append
 * (parts joined, NUL and lone surrogates replaced). The log's event refers to it.
 */
export type MessageContent = {
  readonly role: MessageRole;
  readonly text: string;
  readonly name?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
};

/** One labelled value that a summary keeps. Offsets and weights are the summarizer's own. */
export type SummaryFact = {
  readonly label: string;
  readonly value: string;
  /** Sequence of the event it was last seen in. */
  readonly sequence: number;
  /** How often it was seen, over everything the summary stands for. */
  readonly seen: number;
  readonly kind: string;
};

/** A summary as it stands in the artifact store (`artifactType: "context.summary"`). `facts` may hold more than `text` shows. */
export type SummaryContent = {
  readonly text: string;
  readonly facts: readonly SummaryFact[];
};

/**
 * A cut rendering of one message, as it was first fed (`artifactType: "context.rendering"`): what is counted,
 * and the content and calls it has in a provider's message.
 */
export type RenderingContent = {
  readonly rendered: string;
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
};

export const ARTIFACT_TYPES = [
  'message',
  'context.summary',
  'context.rendering',
  /** A sealed capsule, canonical. */
  'context.capsule',
  /** What a promotion was decided by: pairs, thresholds, signed envelope. */
  'promotion.evidence',
  /** A piece of knowledge that waits to be written to a vault. */
  'knowledge.delta',
] as const;

export type ArtifactType = (typeof ARTIFACT_TYPES)[number];
