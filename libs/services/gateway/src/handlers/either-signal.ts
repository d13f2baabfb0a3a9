export type EitherSignal = {
  readonly signal: AbortSignal;
  /** Lets go of both; the signal is not aborted by them any more. */
  readonly release: () => void;
};

/**
 * Aborted with the first of two. `AbortSignal.any` would leave a trace in the longer-lived of them for each request
 * there ever was (Node 20 and 22), and its signal may be collected before its time.
 */
export function eitherSignal(one: AbortSignal, other: AbortSignal): EitherSignal {
  const either = new AbortController();
  const abort = (): void => either.abort();
  const release = (): void => [one, other].forEach((signal) => signal.removeEventListener('abort', abort));
  if (one.aborted || other.aborted) abort();
  else for (const signal of [one, other]) signal.addEventListener('abort', abort, { once: true });
  return { signal: either.signal, release };
}
