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
export function loopFacts(context: ContextSettings, known: KnownRun): TranscriptFacts {
  const window = known.last?.window;
  const newer = rowsAfter(known, window?.asOfSequence);
  return {
    context,
    lastMessageSequence: newer.at(-1)?.sequence ?? window?.lastMessageSequence ?? -1,
    messageCount: (window?.messageCount ?? 0) + newer.length,
    transcriptTokens: transcriptTokensOf(known),
    instructionTokens: 0,
  };
}

/** An overlay in another unit has counted all that was said before it anew. */
function transcriptTokensOf(known: KnownRun): number {
  const { last, overlay } = known;
  const recounted = overlay?.overlaid.transcriptTokens;
  const [before, after] =
    recounted === undefined
      ? [last?.window.unboundedTokenCount, last?.window.asOfSequence]
      : [recounted, overlay?.sequence];
  return rowsAfter(known, after).reduce((sum, { tokens }) => sum + tokens, before ?? 0);
}

function rowsAfter({ rows }: KnownRun, place = -1): KnownRun['rows'] {
  return rows.filter(({ sequence }) => sequence > place);
}
