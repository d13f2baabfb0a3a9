import { PROVIDER_USAGE, providerUsageSchema } from './provider-usage.js';
import { EVENT_PAYLOAD_SCHEMAS } from './payload-schemas.js';

const least = { provider: 'anthropic', model: 'm-1', inputTokens: 0, outputTokens: 0 };

describe('provider.usage', () => {
  it('is known by its type', () => expect(EVENT_PAYLOAD_SCHEMAS[PROVIDER_USAGE]).toBe(providerUsageSchema));

  it.each([
    {},
    { totalTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 7, cacheHit: false },
    { costEstimateUsd: 0.25, currency: 'USD', nodeId: 'supervisor', traceId: 't' },
  ])('takes %j', (more) =>
    expect(providerUsageSchema.parse({ ...least, ...more })).toEqual({ ...least, ...more }),
  );

  it.each([
    { provider: '' },
    { model: '' },
    { inputTokens: -1 },
    { outputTokens: 1.5 },
    { outputTokens: undefined },
    { cacheReadTokens: null },
    { currency: 'usd' },
    { reasoningTokens: 1 },
    { text: 'content' },
  ])('refuses %j', (more) =>
    expect(providerUsageSchema.safeParse({ ...least, ...more }).success).toBe(false),
  );
});
