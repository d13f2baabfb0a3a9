import { providerUsageSchema } from '@palimpsest/contracts';
import { providerUsageOf } from './provider-usage-of.js';

const named = { provider: 'anthropic', model: 'm-1' };

describe('what an answer of a provider cost, as an event tells it', () => {
  it('is all that the event knows, and no more', () => {
    const told = { ...named, inputTokens: 12, outputTokens: 0, totalTokens: 12 };
    const cached = { cacheReadTokens: 0, cacheWriteTokens: 7 };
    const payload = providerUsageOf({ ...told, ...cached, reasoningTokens: 5 });
    expect(payload).toEqual({ ...told, ...cached });
    expect(providerUsageSchema.parse(payload)).toEqual(payload);
    expect(providerUsageOf(told)).toEqual(told);
  });

  it.each([{}, { inputTokens: 1 }, { outputTokens: 1, totalTokens: 2 }])(
    'is nothing where a number is missing: %j',
    (numbers) => {
      expect(providerUsageOf({ ...named, ...numbers })).toBeUndefined();
    },
  );
});
