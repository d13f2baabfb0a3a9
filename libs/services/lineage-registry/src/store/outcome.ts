import type { JsonObject } from '@palimpsest/contracts';
import {
  fromWireError,
  storableJson,
  toWireError,
  type PalimpsestError,
  type WireError,
} from '@palimpsest/kernel';

/** What a command came to, as it is answered. */
export type Outcome<Answer extends object> =
  { readonly answer: Answer } | { readonly refusal: PalimpsestError };

/** What a command came to, as it is kept under the command's id. */
export type KeptOutcome = { readonly answer: object } | { readonly refusal: WireError };

export function outcomeText<Answer extends object>(outcome: Outcome<Answer>): string {
  const kept: KeptOutcome =
    'refusal' in outcome ? { refusal: toWireError(outcome.refusal) } : { answer: outcome.answer };
  return storableJson(kept as unknown as JsonObject, 'answer');
}

/** Whoever asks with the id again gets what the first one got, and knows its type. */
export function keptOutcome<Answer extends object>(kept: KeptOutcome): Outcome<Answer> {
  return 'refusal' in kept ? { refusal: fromWireError(kept.refusal) } : { answer: kept.answer as Answer };
}

export function answerOf<Answer extends object>(outcome: Outcome<Answer>): Answer {
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.answer;
}
