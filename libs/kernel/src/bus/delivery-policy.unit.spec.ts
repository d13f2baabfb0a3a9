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

  it('waits as long as a retryable error asks, whatever the attempt', () => {
    const busy = new ServiceUnavailableError('The model', { retryAfterMs: 70_000 });
    expect(outcomeOfFailure(busy, 4, policy)).toEqual({ kind: 'retry', delayMs: 70_000 });
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
