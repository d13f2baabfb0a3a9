import type { JsonObject } from '@palimpsest/contracts';
import type { ModelRequest } from '@palimpsest/kernel';
import { createModel } from '../create-model.js';
import { openModelHarness, startWireServer, type ModelHarnessOptions } from '../testing/index.js';

const OBJECT: ModelRequest['answer'] = {
  kind: 'object',
  name: 'my decision!',
  schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
};

const request: ModelRequest = {
  system: 'You decide.',
  messages: [
    { role: 'user', text: 'One' },
    { role: 'assistant', text: 'Two' },
    { role: 'user', text: 'Three' },
  ],
  answer: { kind: 'text' },
  maxOutputTokens: 100,
  temperature: 0.2,
  seed: 7,
  timeoutMs: 10_000,
  invocationId: 'inv-1',
};

async function bodyOf(options: ModelHarnessOptions, part: Partial<ModelRequest> = {}): Promise<JsonObject> {
  const harness = await openModelHarness(options);
  try {
    harness.script({ kind: 'object', value: { a: 'b' } });
    await harness.model.ask({ ...request, ...part });
    return harness.server.requests[0]?.body ?? {};
  } finally {
    await harness.close();
  }
}

describe('OpenAI-compatible', () => {
  const provider = 'openai-compatible';

  it('asks for a text', async () => {
    expect(await bodyOf({ provider })).toEqual({
      model: 'm-1',
      max_tokens: 100,
      temperature: 0.2,
      seed: 7,
      messages: [
        { role: 'system', content: 'You decide.' },
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'Three' },
      ],
    });
  });

  it('asks for an object by its schema', async () => {
    expect(await bodyOf({ provider }, { answer: OBJECT })).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'my_decision_', strict: false, schema: OBJECT.schema },
      },
    });
  });

  it('leaves room for reasoning', async () => {
    expect(await bodyOf({ provider, reasoningTokens: 5000 })).toMatchObject({ max_tokens: 5100 });
  });

  it('names the cap as OpenAI itself does, there only', async () => {
    const sent: JsonObject[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = async (_, init) => {
      sent.push(JSON.parse(init?.body as string) as JsonObject);
      return new Response('{}', { status: 401 });
    };
    try {
      const options = { provider, model: 'm-1', apiKey: 'k' } as const;
      for (const baseUrl of ['https://api.openai.com/v1', 'https://notopenai.com/v1'])
        await createModel({ ...options, baseUrl })
          .ask(request)
          .catch(() => undefined);
    } finally {
      globalThis.fetch = real;
    }
    expect(sent).toMatchObject([{ max_completion_tokens: 100 }, { max_tokens: 100 }]);
    expect(sent[0]).not.toHaveProperty('max_tokens');
  });

  it('shows no key where there is none', async () => {
    const server = await startWireServer({ respond: () => ({ kind: 'text', text: 'Yes.', usage: 'none' }) });
    const model = createModel({ provider, model: 'm-1', baseUrl: `${server.baseUrl}/` });
    const answer = await model.ask(request);
    await server.close();
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(answer.usages).toEqual([{ provider, model: 'm-1' }]);
  });

  it('takes a filter for a refusal, with its word', async () => {
    const harness = await openModelHarness({ provider });
    harness.script({ kind: 'refusal', text: 'Half', category: 'content_filter' });
    const answer = await harness.model.ask(request);
    await harness.close();
    expect(answer).toMatchObject({ kind: 'refusal', category: 'content_filter' });
  });

  it.each([
    ['no choices', '{"choices":[]}', 'unreadable'],
    [
      'nonsense for usage',
      '{"choices":[{"message":{"content":"Yes."}}],"usage":{"prompt_tokens":-1,"completion_tokens":0.5}}',
      'text',
    ],
    [
      'a tool that nobody offered',
      '{"choices":[{"message":{"tool_calls":[{"id":"c","function":{"name":"rm","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}',
      'empty',
    ],
  ])('lives with %s', async (_, body, outcome) => {
    const harness = await openModelHarness({ provider });
    const reply = { kind: 'unreadable', body } as const;
    harness.script(reply, reply, reply);
    const result: object = await harness.model.ask(request).catch((error: object) => error);
    await harness.close();
    const { outage, defect, kind } = result as { outage?: string; defect?: string; kind?: string };
    expect(outage ?? defect ?? kind).toBe(outcome);
    for (const usage of (result as { usages: object[] }).usages)
      expect(usage).toEqual({ provider, model: 'm-1' });
  });

  it('does not wait for an empty account', async () => {
    const harness = await openModelHarness({ provider });
    harness.script({ kind: 'error', status: 429, code: 'insufficient_quota' });
    await expect(harness.model.ask(request)).rejects.toMatchObject({ reason: 'model_request_refused' });
    await harness.close();
  });

  it('ends when its time is used up, whatever attempts remain', async () => {
    const harness = await openModelHarness({ provider, maxAttempts: 100, totalTimeoutMs: 20_000 });
    const reply = { kind: 'error', status: 503, headers: { 'retry-after': '6' } } as const;
    harness.script(...Array.from({ length: 100 }, () => reply));
    await expect(harness.model.ask(request)).rejects.toMatchObject({ reason: 'model_unavailable' });
    await harness.close();
    expect(harness.pauses()).toEqual([6250, 6500, 7000]);
  });
});

describe('Anthropic', () => {
  const provider = 'anthropic';
  const cached = { cache_control: { type: 'ephemeral' } };

  it('asks for a text, and marks what shall stay in the cache', async () => {
    const body = await bodyOf({ provider });
    expect(body).toEqual({
      model: 'm-1',
      max_tokens: 100,
      temperature: 0.2,
      system: [{ type: 'text', text: 'You decide.', ...cached }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'One' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Two' }] },
        { role: 'user', content: [{ type: 'text', text: 'Three', ...cached }] },
      ],
    });
  });

  it('asks for an object by its schema where the model takes one, else by a tool', async () => {
    const answer = { answer: OBJECT };
    expect(await bodyOf({ provider, model: 'claude-sonnet-4-5' }, answer)).toMatchObject({
      output_config: { format: { type: 'json_schema' } },
    });
    expect(await bodyOf({ provider }, answer)).toMatchObject({
      tools: [{ name: 'json', input_schema: OBJECT.schema }],
      tool_choice: { type: 'any' },
    });
  });

  it('tells apart what came from the cache and what went there, and why it was refused', async () => {
    const harness = await openModelHarness({ provider });
    const usage = { input: 1200, output: 90, cacheRead: 1000, cacheWrite: 100 };
    harness.script({ kind: 'refusal', category: 'cyber', usage });
    const answer = await harness.model.ask(request);
    await harness.close();
    expect(answer).toEqual({
      kind: 'refusal',
      category: 'cyber',
      usages: [
        {
          ...{ provider, model: 'm-1', inputTokens: 1200, outputTokens: 90 },
          ...{ cacheReadTokens: 1000, cacheWriteTokens: 100 },
        },
      ],
    });
  });

  it('writes nothing on the console', async () => {
    const print = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    await bodyOf({ provider, model: 'claude-3-haiku' }, { temperature: 1.7, maxOutputTokens: 1_000_000 });
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });
});

describe('the wire server', () => {
  it('refuses what it does not know, a wrong key, and a body that is none', async () => {
    const server = await startWireServer({ apiKey: 'k', respond: () => ({ kind: 'text', text: 'Yes.' }) });
    const post = async (path: string, key: string, body: string) => {
      const headers = { 'x-api-key': key };
      return (await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers, body })).status;
    };
    expect(await post('/nothing', 'k', '{}')).toBe(404);
    expect(await post('/messages', 'wrong', '{}')).toBe(401);
    expect(await post('/messages', 'k', '[')).toBe(400);
    expect(await post('/messages', 'k', '{}')).toBe(200);
    await server.close();
    expect(server.requests).toHaveLength(1);
  });

  it('answers with 500 where its script fails', async () => {
    const server = await startWireServer({ respond: () => Promise.reject(new TypeError('no')) });
    const response = await fetch(`${server.baseUrl}/messages`, { method: 'POST', body: '{}' });
    await server.close();
    expect(response.status).toBe(500);
  });
});
