import type { CountTokens, SummaryRequest } from '@palimpsest/kernel';
import { renderSummary } from '@palimpsest/transcript';

/** Of what a summary's cap leaves beside its wrapper; the facts get the rest. */
const ASKED_SHARE = 0.4;
const MOST_SHARE = 0.6;
/** Characters that a token of prose has about, and words that so many tokens make. */
const CHARS_PER_TOKEN = 4;
const WORDS_PER_TOKEN = 0.7;
/** Less prose than this says nothing that the facts do not. */
const LEAST_TOKENS = 24;
/** A model's own tokens may be smaller than those it is counted in; what exceeds the room is not taken. */
const OUTPUT_SLACK = 1.5;

export type ProseRoom = {
  /** What is asked for. */
  readonly words: number;
  /** Most that is taken, in the job's unit. */
  readonly most: number;
  readonly maxOutputTokens: number;
};

/** How much of a summary a model writes; `undefined` where the cap is too small for prose. */
export function proseRoom(
  { maxTokens, tokenCounter }: Pick<SummaryRequest, 'maxTokens' | 'tokenCounter'>,
  count: CountTokens,
): ProseRoom | undefined {
  const room = maxTokens - count(renderSummary(''), tokenCounter);
  const unit = tokenCounter === 'chars' ? CHARS_PER_TOKEN : 1;
  const asked = (room * ASKED_SHARE) / unit;
  if (asked < LEAST_TOKENS) return undefined;
  const most = Math.floor(room * MOST_SHARE);
  return {
    words: Math.floor(asked * WORDS_PER_TOKEN),
    most,
    // A character may be a token of its own.
    maxOutputTokens: Math.ceil((tokenCounter === 'chars' ? most / 2 : most) * OUTPUT_SLACK),
  };
}
