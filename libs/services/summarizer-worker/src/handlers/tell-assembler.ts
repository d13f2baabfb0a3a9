import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { ASSEMBLER_SUBJECTS, type JsonObject, type SummaryResult } from '@palimpsest/contracts';
import { RetryableError, type MessageBus } from '@palimpsest/kernel';

/** About a minute together: longer than an assembler takes to start again. */
const PATIENCE = { maxAttempts: 9, backoff: new ExponentialBackoff({ initialDelay: 250, maxDelay: 10_000 }) };

const patiently = retry(
  handleWhen((error) => error instanceof RetryableError),
  PATIENCE,
);

/**
 * Hands a result over. One that a model was paid for is told until it is heard: made again, it would be paid for again, and
 * the first bill would be known to nobody. Any other is told once; the queue brings its job back.
 */
export async function tellAssembler(
  bus: MessageBus,
  result: SummaryResult,
  signal: AbortSignal,
): Promise<void> {
  const tell = (): Promise<unknown> => bus.request(ASSEMBLER_SUBJECTS.completeSummary, result as JsonObject);
  await (result.invocations?.length ? patiently.execute(tell, signal) : tell());
}
