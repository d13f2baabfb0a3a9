import { TerminalError } from '@palimpsest/kernel';

/** What a decision came to, a refusal as well: it is kept before the caller hears of it. */
export type Decided<Result> = { readonly decided: Result } | { readonly refusal: TerminalError };

export function outcomeOf<Result>(decide: () => Result): Decided<Result> {
  try {
    return { decided: decide() };
  } catch (error) {
    if (error instanceof TerminalError) return { refusal: error };
    throw error;
  }
}
