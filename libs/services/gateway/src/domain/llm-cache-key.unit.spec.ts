import { createHash } from 'node:crypto';
import type { JsonObject } from '@palimpsest/contracts';
import { canonicalLlmRequest } from './llm-cache-key.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const plain: JsonObject = {
  provider: 'anthropic',
  model: 'm-1',
  messages: [{ role: 'user', content: 'hi' }],
  temperature: 0.5,
};

const withTools: JsonObject = {
  provider: 'openai',
  model: 'm-2',
  messages: [
    { role: 'system', content: 's' },
    { role: 'user', content: 'u' },
  ],
  tools: [
    { name: 'a', parameters: { type: 'object' } },
    { name: 'B', parameters: { type: 'object' } },
  ],
  stop: 'END',
  seed: 7,
  maxOutputTokens: 64,
  logitBias: { 5: -1 },
};

/** Host specification §6.8. */
describe('the cache key of a request to a model', () => {
  it.each([
    [
      plain,
      '{"model":"m-1","provider":"anthropic","recipe":"openwop-semantic-request-v2","request":{"messages":[{"content":"hi","role":"user"}],"temperature":0.5}}',
      '771933283aeb73f6d24e0ed62288312b6251d0bbe21b790710a2abdc5b4ccac2',
    ],
    [
      withTools,
      '{"model":"m-2","provider":"openai","providerOptions":{"vendor.openai.logitBias":{"5":-1}},"recipe":"openwop-semantic-request-v2","request":{"maxOutputTokens":64,"messages":[{"content":"s","role":"system"},{"content":"u","role":"user"}],"seed":7,"stop":["END"],"tools":[{"name":"B","parameters":{"type":"object"}},{"name":"a","parameters":{"type":"object"}}]}}',
      'b6daa8b5e12d24406044efccfec0e3c6af8c1bb2f14f8562eeaacc899cfa5520',
    ],
  ])('is that of the recipe', (request, canonical, key) => {
    expect(canonicalLlmRequest(request)).toBe(canonical);
    expect(sha256(canonicalLlmRequest(request))).toBe(key);
  });

  it('does not depend on who asks, when, or in which order', () => {
    const same = {
      stream: true,
      metadata: { a: 1 },
      user: 'someone',
      tenantId: 'acme',
      runId: 'run_1',
      traceparent: '00-1',
      timeoutMs: 5,
      credentialRef: 'a',
      cachePrefixId: 'p',
      tools: [],
      topP: null,
      seed: 'no number',
      ...Object.fromEntries(Object.entries(plain).reverse()),
    };
    expect(canonicalLlmRequest(same)).toBe(canonicalLlmRequest(plain));
  });

  it.each([{ temperature: 0.6 }, { topP: 1 }, { stop: ['a'] }, { model: 'm-3' }, { reasoning: 'deep' }])(
    'depends on what is asked for: %j',
    (change) => expect(canonicalLlmRequest({ ...plain, ...change })).not.toBe(canonicalLlmRequest(plain)),
  );

  it.each([
    [{ ...plain, provider: undefined }, 'provider'],
    [{ ...plain, model: '' }, 'model'],
    [{ ...plain, messages: [] }, 'messages'],
    [{ ...plain, messages: 'hi' }, 'messages'],
    [{}, 'provider'],
    [[], 'body'],
    [undefined, 'body'],
  ])('needs provider, model and messages: %j', (body, field) => {
    expect(() => canonicalLlmRequest(body as JsonObject)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: { field } }),
    );
  });
});
