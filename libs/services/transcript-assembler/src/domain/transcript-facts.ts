import type { ContextSettings, OwnLoopState } from '@palimpsest/contracts';
import type { KnownRun } from './known-run.js';

/** What a window says of the transcript as of then, beside what it feeds. */
export type TranscriptFacts = {
  readonly context: ContextSettings;
  /** −1 where nothing was said. */
  readonly lastMessageSequence: number;
  readonly messageCount: number;
  /** Tokens of all its messages, and of all instructions, in the run's counter. */
  readonly transcriptTokens: number;
  readonly instructionTokens: number;
};

export function ownLoopFacts(state: OwnLoopState): TranscriptFacts {
  const { context, lastMessageSequence, messageCount, transcriptTokens, instructionTokens } = state;
  return { context, lastMessageSequence, messageCount, transcriptTokens, instructionTokens };
}

/** Of an execution loop the header does not count the transcript: the last window does, and the rows behind it. */
export function loopFacts(context: ContextSettings, { last, rows }: KnownRun): TranscriptFacts {
  const window = last?.window;
  const newer = window ? rows.filter(({ sequence }) => sequence > window.asOfSequence) : rows;
  return {
    context,
    lastMessageSequence: newer.at(-1)?.sequence ?? window?.lastMessageSequence ?? -1,
    messageCount: (window?.messageCount ?? 0) + newer.length,
    transcriptTokens: newer.reduce((sum, { tokens }) => sum + tokens, window?.unboundedTokenCount ?? 0),
    instructionTokens: 0,
  };
}
