import { circuitBreaker, ConsecutiveBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel';
import { isModelError, ModelAbortedError, ModelAnswerInvalidError, type Model } from '@palimpsest/kernel';

export type BreakerOptions = {
  /** Calls that fail one after the other before no more are made. Default 5. */
  readonly failures?: number;
  /** Milliseconds without a call; then one is tried, and the others wait for what becomes of it. Default 60 000. */
  readonly coolDownMs?: number;
};

/** Asks the model, or fails at once while its breaker is open. */
export type GuardedAsk = Model['ask'];

/**
 * A model that is spared while it is away. An answer that is no use is none of the breaker's business: what one
 * conversation makes of a model must not take it from the others.
 */
export function guardedAsk(
  model: Model,
  { failures = 5, coolDownMs = 60_000 }: BreakerOptions = {},
): GuardedAsk {
  const breaker = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: coolDownMs,
    breaker: new ConsecutiveBreaker(failures),
  });
  return (request) => breaker.execute(() => model.ask(request));
}

function isOutage(error: unknown): boolean {
  return (
    isModelError(error) &&
    !(error instanceof ModelAbortedError) &&
    !(error instanceof ModelAnswerInvalidError)
  );
}

export { isBrokenCircuitError as isSpared };
