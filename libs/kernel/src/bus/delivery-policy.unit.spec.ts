import { ServiceUnavailableError, ValidationError } from '../errors/known-errors.js';
import { deliveryPolicy, outcomeOfFailure } from './delivery-policy.js';

const options = { stream: { name: 'S', kind: 'work', subject: 's.>' }, durable: 'd' } as const;
const policy = deliveryPolicy(options);

describe('outcomeOfFailure', () => {
  it('doubles the delay of an unknown error up to half a minute', () => {
    const patient = deliveryPolicy({ ...options, maxAttempts: 100 });
    const delays = [1, 2, 3, 7, 8, 50].map((attempt) => outcomeOfFailure(new TypeError(), attempt, patient));
    expect(delays).toEqual(
      [250, 500, 1000, 16_000, 30_000, 30_000].map((delayMs) => ({ kind: 'retry', delayMs })),
    );
  });

  it('waits at least as long as a retryable error asks, and longer the longer the trouble lasts', () => {
    const patient = deliveryPolicy({ ...options, maxRetryableAttempts: 100 });
    const delaysOf = (error: Error) =>
      [1, 3, 5, 50].map((attempt) => outcomeOfFailure(error, attempt, patient));
    const retries = (delays: readonly number[]) => delays.map((delayMs) => ({ kind: 'retry', delayMs }));
    expect(delaysOf(new ServiceUnavailableError('The store'))).toEqual(retries([1000, 1000, 4000, 30_000]));
    expect(delaysOf(new ServiceUnavailableError('The model', { retryAfterMs: 70_000 }))).toEqual(
      retries([70_000, 70_000, 70_000, 70_000]),
    );
  });

  it('has a limit of its own for errors that may pass', () => {
    const patient = deliveryPolicy({ ...options, maxAttempts: 2, maxRetryableAttempts: 4 });
    const kinds = (error: unknown) =>
      [1, 2, 3, 4].map((attempt) => outcomeOfFailure(error, attempt, patient).kind);
    expect(kinds(new ServiceUnavailableError('The store'))).toEqual([
      'retry',
      'retry',
      'retry',
      'dead-letter',
    ]);
    expect(kinds(new TypeError())).toEqual(['retry', 'dead-letter', 'dead-letter', 'dead-letter']);
    expect(patient.maxDeliveries).toBe(4);
  });

  it('gives up at once on a terminal error, and at the last attempt on every other', () => {
    expect(outcomeOfFailure(new ValidationError('No.'), 1, policy)).toEqual({
      kind: 'dead-letter',
      code: 'validation_error',
    });
    expect(outcomeOfFailure(new ServiceUnavailableError('The model'), 5, policy)).toEqual({
      kind: 'dead-letter',
      code: 'service_unavailable',
    });
    expect(outcomeOfFailure('thrown text', 5, policy)).toEqual({
      kind: 'dead-letter',
      code: 'internal_error',
    });
  });
});
