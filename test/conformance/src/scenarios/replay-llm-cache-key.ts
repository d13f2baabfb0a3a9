// Host specification §6.8 (recipe, vectors), §9.3 (cache key seam). Also `replay-llm-cache-key-portable`, `semantic-digest-v2`
// and `semantic-digest-vectors` of the public suite: the recipe's vectors, through the seam.
import { expectRefusal } from '../client/expectations.js';
import type { Answer, Host } from '../client/host.js';
import { seam, type Scenario } from '../scenario.js';

const REQUEST = {
  provider: 'openai',
  model: 'm-1',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Which build is green?' },
  ],
  tools: [
    { name: 'zeta', parameters: { type: 'object', properties: {} } },
    { name: 'Alpha', parameters: { properties: {}, type: 'object' } },
  ],
  temperature: 0.5,
  topP: 1,
  seed: 7,
  stop: ['END'],
} as const;

const [ZETA, ALPHA] = REQUEST.tools;
const [SYSTEM, USER] = REQUEST.messages;

/** What is no part of what is asked for. */
const SAME: readonly (readonly [string, object])[] = [
  ['another order of tools', { tools: [ALPHA, ZETA] }],
  ['another order of keys', { messages: REQUEST.messages.map(({ role, content }) => ({ content, role })) }],
  ['a stop that is no list', { stop: 'END' }],
  ['members that are null', { topK: null, maxOutputTokens: null, responseFormat: null }],
  ['a number that is none', { maxOutputTokens: '64' }],
  ['the way it is answered', { stream: true }],
  ['who asks, and for what', { metadata: { a: 1 }, tenantId: 't', runId: 'r', requestId: 'q' }],
  ['how long it may take', { timeoutMs: 1000 }],
];

const OTHER: readonly (readonly [string, object])[] = [
  ['another model', { model: 'm-2' }],
  ['another provider', { provider: 'anthropic' }],
  ['another order of messages', { messages: [USER, SYSTEM] }],
  ['a message more', { messages: [SYSTEM, USER, USER] }],
  ['another temperature', { temperature: 0.6 }],
  ['another seed', { seed: 8 }],
  ['another stop', { stop: ['END', 'STOP'] }],
  ['a tool less', { tools: [ZETA] }],
  ['no tools', { tools: [] }],
  ['an option of the provider', { logitBias: { 5: -1 } }],
  ['a limit', { maxOutputTokens: 64 }],
  ['a form', { responseFormat: { type: 'json_object' } }],
];

/** Host specification §6.8. */
const VECTORS: readonly (readonly [string, object])[] = [
  [
    '771933283aeb73f6d24e0ed62288312b6251d0bbe21b790710a2abdc5b4ccac2',
    { provider: 'anthropic', model: 'm-1', messages: [{ role: 'user', content: 'hi' }], temperature: 0.5 },
  ],
  [
    'b6daa8b5e12d24406044efccfec0e3c6af8c1bb2f14f8562eeaacc899cfa5520',
    {
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
    },
  ],
];

export const scenario: Scenario = {
  name: 'replay-llm-cache-key',
  needs: seam('cache key'),
  tests(host) {
    it('is a SHA-256 in hexadecimal, the same each time', async () => {
      const keys = [await keyOf(host, REQUEST), await keyOf(host, REQUEST)];
      expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(keys[1]).toBe(keys[0]);
    });

    it.each(SAME)('is the same for %s', async (_, change) => {
      expect(await keyOf(host, { ...REQUEST, ...change })).toBe(await keyOf(host, REQUEST));
    });

    it.each(OTHER)('is another one for %s', async (_, change) => {
      expect(await keyOf(host, { ...REQUEST, ...change })).not.toBe(await keyOf(host, REQUEST));
    });

    it('does not normalise text', async () => {
      const of = (content: string) => keyOf(host, { ...REQUEST, messages: [{ role: 'user', content }] });
      expect(await of('\u00e9')).not.toBe(await of('e\u0301'));
    });

    it.each(VECTORS)('is that of the recipe: %s', async (key, request) => {
      expect(await keyOf(host, request)).toBe(key);
    });

    it.each(['provider', 'model', 'messages'])('is refused without %s', async (name) => {
      const { [name]: _left, ...rest }: Record<string, unknown> = { ...REQUEST };
      expectRefusal(await ask(host, rest), 400, 'invalid_argument');
    });
  },
};

function ask(host: Host, request: object): Promise<Answer> {
  return host.post('/v1/host/sample/test/llm-cache-key', request);
}

async function keyOf(host: Host, request: object): Promise<string> {
  const { status, json, text } = await ask(host, request);
  if (status !== 200) throw new Error(`The cache key's seam answered ${status}: ${text.slice(0, 300)}`);
  return String(json.cacheKey);
}
