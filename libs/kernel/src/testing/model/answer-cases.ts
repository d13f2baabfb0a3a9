import type { ModelMessage } from '../../ports/model.js';
import type { ModelHarness, ScriptedUsage } from '../model-contract.js';
import { DECISION, objectRequest, textRequest } from './requests.js';

const USAGE: ScriptedUsage = { input: 1200, output: 90, reasoning: 40, cacheRead: 1000, cacheWrite: 100 };

const HARD_TEXTS: readonly (readonly [string, string])[] = [
  ['NUL', 'before\u0000after'],
  ['emoji', '👨‍👩‍👧‍👦🏳️‍🌈 東京都 𝒳'],
  ['special tokens and JSON', '<|endoftext|> {"a":"\\u0000"} ```json\n{}\n``` \u2028'],
  ['half a megabyte', 'lorem ipsum '.repeat(45_000)],
];

export function answerCases(current: () => ModelHarness): void {
  const identity = () => ({ provider: current().provider, model: current().modelName });

  it('gives a text, and what it cost', async () => {
    current().script({ kind: 'text', text: 'Go on.', usage: USAGE });
    const answer = await current().model.ask(textRequest());
    expect(answer).toMatchObject({ kind: 'text', text: 'Go on.', finish: 'stop' });
    expect(answer.usages).toEqual([
      expect.objectContaining({
        ...identity(),
        inputTokens: 1200,
        outputTokens: 90,
        reasoningTokens: 40,
        cacheReadTokens: 1000,
      }),
    ]);
  });

  it('asks the model that the request names, the configured one otherwise, and says which it was', async () => {
    const usage = { input: 1, output: 1 };
    current().script(...[1, 2, 3].map(() => ({ kind: 'text', text: 'Go on.', usage }) as const));
    const answers = [
      await current().model.ask(textRequest({ model: 'another' })),
      await current().model.ask(textRequest()),
      await current().model.ask(textRequest({ model: 'another' })),
    ];
    const names = ['another', current().modelName, 'another'];
    expect(
      current()
        .sent()
        .map(({ model }) => model),
    ).toEqual(names);
    expect(answers.map(({ usages }) => usages[0]?.model)).toEqual(names);
  });

  it('leaves out what the provider does not report', async () => {
    current().script({ kind: 'text', text: 'Go on.', usage: { input: 12, output: 3 } });
    const [usage] = (await current().model.ask(textRequest())).usages;
    expect(usage).toMatchObject({ ...identity(), inputTokens: 12, outputTokens: 3 });
    for (const unknown of ['reasoningTokens', 'cacheReadTokens', 'cacheWriteTokens'])
      expect(usage).not.toHaveProperty(unknown);
  });

  it('tells a reported zero from nothing reported', async () => {
    const usage = { input: 12, output: 3, cacheRead: 0 };
    current().script({ kind: 'text', text: 'Go on.', usage });
    expect((await current().model.ask(textRequest())).usages[0]).toHaveProperty('cacheReadTokens', 0);
  });

  it('says that a text was cut off', async () => {
    current().script({ kind: 'text', text: 'And then', finish: 'length' });
    expect(await current().model.ask(textRequest())).toMatchObject({ text: 'And then', finish: 'length' });
  });

  it('gives an object that fits its schema', async () => {
    current().script({ kind: 'object', value: DECISION, usage: USAGE });
    const answer = await current().model.ask(objectRequest());
    expect(answer).toMatchObject({ kind: 'object', value: DECISION });
    expect(answer.usages).toHaveLength(1);
  });

  it.each([
    ['bare', (json: string) => json],
    ['fenced', (json: string) => `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nDone.`],
    ['in a sentence with braces', (json: string) => `For {name} I say ${json} and no more.`],
    ['after thoughts', (json: string) => `<think>{"action": maybe}</think>\n${json}`],
    ['after a mark of byte order', (json: string) => `\uFEFF${json}`],
  ])('finds an object in text: %s', async (_, wrap) => {
    current().script({ kind: 'text', text: wrap(JSON.stringify(DECISION)) });
    expect(await current().model.ask(objectRequest())).toMatchObject({ kind: 'object', value: DECISION });
  });

  it('gives a refusal as an answer, once, and what it cost', async () => {
    for (const request of [textRequest(), objectRequest()]) {
      current().script({ kind: 'refusal', text: 'I will not.', usage: { input: 7, output: 2 } });
      const answer = await current().model.ask(request);
      expect(answer).toMatchObject({ kind: 'refusal', usages: [{ inputTokens: 7, outputTokens: 2 }] });
      expect(JSON.stringify(answer)).not.toContain('I will not');
    }
    expect(current().sent()).toHaveLength(2);
  });

  it('sends the same bytes before what is new, from turn to turn', async () => {
    const turns: ModelMessage[] = [{ role: 'user', text: 'Turn 1' }];
    for (const n of [2, 3, 4]) {
      current().script({ kind: 'object', value: DECISION });
      await current().model.ask(objectRequest({ messages: [...turns], invocationId: `inv-${n}` }));
      turns.push({ role: 'assistant', text: `Answer ${n}` }, { role: 'user', text: `Turn ${n}` });
    }
    const sent = current().sent();
    expect(new Set(sent.map(({ systemBytes }) => systemBytes)).size).toBe(1);
    for (const [at, { messages }] of sent.entries()) expect(messages).toEqual(turns.slice(0, 2 * at + 1));
  });

  it('names the invocation to the provider', async () => {
    current().script({ kind: 'error', status: 503 }, { kind: 'text', text: 'Go on.' });
    await current().model.ask(textRequest({ invocationId: 'inv-77' }));
    expect(current().sent()).toMatchObject([{ idempotencyKey: 'inv-77' }, { idempotencyKey: 'inv-77' }]);
  });

  it.each(HARD_TEXTS)('sends and gives text unchanged: %s', async (_, text) => {
    current().script({ kind: 'text', text: `${text}.` });
    const messages: ModelMessage[] = [{ role: 'user', text }];
    expect(await current().model.ask(textRequest({ system: text, messages }))).toMatchObject({
      text: `${text}.`,
    });
    expect(current().sent()[0]).toMatchObject({ system: text, messages });
  });

  it('does not mix calls at once', async () => {
    const calls = Array.from({ length: 20 }, (_, n) => n);
    current().script(
      ...calls.map((n) => ({
        kind: 'text' as const,
        text: 'Go on.',
        usage: { input: 100 + n, output: n },
        latencyMs: (n * 7) % 5,
      })),
    );
    const answers = await Promise.all(
      calls.map((n) =>
        current().model.ask(
          textRequest({ invocationId: `inv-${n}`, messages: [{ role: 'user', text: `call ${n}` }] }),
        ),
      ),
    );
    for (const { usages } of answers) {
      const [usage] = usages;
      expect(usages).toHaveLength(1);
      expect(usage?.inputTokens).toBe(100 + (usage?.outputTokens ?? -1));
    }
    expect(new Set(answers.map(({ usages }) => usages[0]?.outputTokens)).size).toBe(calls.length);
    for (const { messages, idempotencyKey } of current().sent())
      expect(messages[0]?.text).toBe(idempotencyKey?.replace('inv-', 'call '));
  });
}
