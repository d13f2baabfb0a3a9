import type { ModelHarness, ScriptedReply } from '../model-contract.js';
import { refusalOf } from './refusal-of.js';
import { ANSWER_MARK, DECISION, DECISION_SCHEMA, objectRequest, textRequest } from './requests.js';

const usage = { input: 10, output: 5 };

type Defect = readonly [what: string, defect: string, reply: ScriptedReply];

const UNFIT: readonly Defect[] = [
  ['no JSON', 'not-json', { kind: 'text', text: `Let me think. ${ANSWER_MARK}`, usage }],
  ['half an object', 'not-json', { kind: 'text', text: `{"action":"${ANSWER_MARK}`, usage }],
  [
    'a value that is not allowed',
    'schema-mismatch',
    { kind: 'object', value: { action: ANSWER_MARK, confidence: 0.5 }, usage },
  ],
  ['a field that is missing', 'schema-mismatch', { kind: 'object', value: { action: 'go' }, usage }],
  [
    'a field too many',
    'schema-mismatch',
    { kind: 'object', value: { ...DECISION, [ANSWER_MARK]: 1 }, usage },
  ],
  ['a list', 'schema-mismatch', { kind: 'text', text: '[1, 2]', usage }],
  ['an endless number', 'not-json', { kind: 'text', text: '{"action":"go","confidence":1e400}', usage }],
  ['cut off', 'truncated', { kind: 'text', text: '{"action":"go","conf', finish: 'length', usage }],
  ['nothing', 'empty', { kind: 'text', text: '', usage }],
  ['white space', 'empty', { kind: 'text', text: ' \n\t', usage }],
];

export function repairCases(current: () => ModelHarness): void {
  it.each(UNFIT)('sends back an answer that does not fit, and takes the next: %s', async (_, __, reply) => {
    current().script(reply, { kind: 'object', value: DECISION, usage });
    const answer = await current().model.ask(objectRequest());
    expect(answer).toMatchObject({ kind: 'object', value: DECISION });
    expect(answer.usages).toMatchObject([
      { inputTokens: 10, outputTokens: 5 },
      { inputTokens: 10, outputTokens: 5 },
    ]);
    const [first, second] = current().sent();
    expect(second?.systemBytes).toBe(first?.systemBytes);
    expect(second?.messages).toMatchObject([
      ...(first?.messages ?? []),
      { role: 'assistant' },
      { role: 'user' },
    ]);
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
  });

  it.each(UNFIT)(
    'gives up after two attempts to repair, and says what it cost: %s',
    async (_, defect, reply) => {
      current().script(reply, reply, reply);
      const error = await refusalOf(current(), objectRequest());
      expect(error).toMatchObject({ reason: 'model_answer_invalid', defect, retryable: false });
      expect(error.usages).toHaveLength(3);
      expect(current().sent()).toHaveLength(3);
    },
  );

  it('names the places that do not fit', async () => {
    current().script(
      { kind: 'object', value: { action: 'go', confidence: 4 } },
      { kind: 'object', value: DECISION },
    );
    await current().model.ask(objectRequest());
    expect(current().sent()[1]?.messages.at(-1)?.text).toContain('/confidence');
  });

  it('holds an answer to its check where that says more than its schema', async () => {
    const check = { allOf: [DECISION_SCHEMA, { properties: { confidence: { minimum: 0.7 } } }] };
    const answer = { kind: 'object', name: 'decision', schema: DECISION_SCHEMA, check } as const;
    current().script(
      { kind: 'object', value: { action: 'go', confidence: 0.6 } },
      { kind: 'object', value: { action: 'go', confidence: 0.7 } },
    );
    expect(await current().model.ask(objectRequest({ answer }))).toMatchObject({
      value: { confidence: 0.7 },
    });
    expect(current().sent()[1]?.messages.at(-1)?.text).toContain('/confidence');
  });

  it('asks again for a text that is empty', async () => {
    current().script({ kind: 'text', text: '', usage }, { kind: 'text', text: 'Go on.', usage });
    const answer = await current().model.ask(textRequest());
    expect(answer).toMatchObject({ kind: 'text', text: 'Go on.' });
    expect(answer.usages).toHaveLength(2);
  });

  it('takes a refusal of the repair for an answer', async () => {
    current().script({ kind: 'text', text: 'no', usage }, { kind: 'refusal', usage });
    const answer = await current().model.ask(objectRequest());
    expect(answer.kind).toBe('refusal');
    expect(answer.usages).toHaveLength(2);
  });

  it('says what a repair cost that failed otherwise', async () => {
    current().script({ kind: 'text', text: 'no', usage }, { kind: 'error', status: 401 });
    const error = await refusalOf(current(), objectRequest());
    expect(error).toMatchObject({ reason: 'model_request_refused', details: { status: 401 } });
    expect(error.usages).toHaveLength(1);
  });

  it('is not held up by a pattern that takes for ever', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    current().script(
      { kind: 'object', value: { a: `${'a'.repeat(60)}!` } },
      { kind: 'object', value: { a: 'b' } },
      { kind: 'object', value: { a: 'aaa' } },
    );
    const request = objectRequest({ answer: { kind: 'object', name: 'slow', schema } });
    expect(await current().model.ask(request)).toMatchObject({ value: { a: 'aaa' } });
    expect(current().sent()).toHaveLength(3);
  });

  it('refuses a schema that is none, and asks nobody', async () => {
    const request = objectRequest({ answer: { kind: 'object', name: 'x', schema: { type: 'nonsense' } } });
    await expect(current().model.ask(request)).rejects.toMatchObject({ code: 'validation_error' });
    expect(current().sent()).toEqual([]);
  });
}
