import type { ModelHarness, ScriptedReply } from '../model-contract.js';
import { waitUntil } from '../wait-until.js';
import { refusalOf } from './refusal-of.js';
import { DECISION, objectRequest, PROMPT_MARK, textRequest } from './requests.js';

const GOOD: ScriptedReply = { kind: 'text', text: 'Go on.', usage: { input: 10, output: 5 } };
const error = (status: number, more: object = {}): ScriptedReply => ({
  kind: 'error',
  status,
  message: `You said: ${PROMPT_MARK}`,
  ...more,
});

type Passing = readonly [what: string, reply: ScriptedReply, expected: object];

const PASSING: readonly Passing[] = [
  ['429', error(429), { reason: 'model_rate_limited', code: 'rate_limited' }],
  ['408', error(408), { reason: 'model_unavailable', outage: 'status' }],
  ['500', error(500), { reason: 'model_unavailable', outage: 'status', code: 'service_unavailable' }],
  ['502', error(502), { reason: 'model_unavailable', outage: 'status' }],
  ['503', error(503), { reason: 'model_unavailable', outage: 'status' }],
  ['529', error(529), { reason: 'model_unavailable', outage: 'status' }],
  ['a reset', { kind: 'reset' }, { reason: 'model_unavailable', outage: 'connection' }],
  ['a body cut off', { kind: 'truncated' }, { reason: 'model_unavailable' }],
  [
    'a body that is no JSON',
    { kind: 'unreadable', body: `<html>${PROMPT_MARK}` },
    { reason: 'model_unavailable', outage: 'unreadable' },
  ],
  [
    'a body of another shape',
    { kind: 'unreadable', body: `{"answer":"${PROMPT_MARK}"}` },
    { reason: 'model_unavailable', outage: 'unreadable' },
  ],
  ['an empty body', { kind: 'unreadable', body: '' }, { reason: 'model_unavailable', outage: 'unreadable' }],
];

export function failureCases(current: () => ModelHarness): void {
  it.each(PASSING)('tries again after %s', async (_, reply) => {
    current().script(reply, reply, GOOD);
    expect(await current().model.ask(textRequest())).toMatchObject({ kind: 'text', text: 'Go on.' });
    expect(current().sent()).toHaveLength(3);
    expect(current().pauses()).toHaveLength(2);
  });

  it.each(PASSING)('gives up after three times %s', async (_, reply, expected) => {
    current().script(reply, reply, reply, GOOD);
    expect(await refusalOf(current(), textRequest())).toMatchObject({ ...expected, retryable: true });
    expect(current().sent()).toHaveLength(3);
  });

  it('bills no answer that never came', async () => {
    current().script(error(500), { kind: 'reset' }, error(429));
    expect((await refusalOf(current(), textRequest())).usages).toEqual([]);
  });

  it.each<ScriptedReply>([{ kind: 'unreadable', body: '{' }, { kind: 'truncated' }])(
    'bills an answer that cannot be read, without numbers: %j',
    async (reply) => {
      current().script(reply, GOOD);
      expect((await current().model.ask(textRequest())).usages).toEqual([
        { provider: current().provider, model: current().modelName },
        expect.objectContaining({ inputTokens: 10 }),
      ]);
    },
  );

  it('refuses a conversation without a message, and asks nobody', async () => {
    const refusal = await refusalOf(current(), textRequest({ messages: [] }));
    expect(refusal).toMatchObject({ reason: 'model_request_refused', usages: [] });
    expect(current().sent()).toEqual([]);
  });

  it.each([400, 401, 402, 403, 404, 413, 302])('does not repeat what is refused: %i', async (status) => {
    const more = status === 302 ? { headers: { location: '/elsewhere' } } : {};
    current().script(error(status, more), GOOD);
    expect(await refusalOf(current(), textRequest())).toMatchObject({
      reason: 'model_request_refused',
      retryable: false,
      details: { status },
      usages: [],
    });
    expect(current().sent()).toHaveLength(1);
  });

  it("tells the provider's code", async () => {
    current().script(error(404, { code: 'model_not_found' }));
    expect(await refusalOf(current(), textRequest())).toMatchObject({
      details: { providerCode: 'model_not_found' },
    });
  });

  it('asks for JSON in text where the provider takes no schema, and remembers', async () => {
    const fenced: ScriptedReply = { kind: 'text', text: `\`\`\`json\n${JSON.stringify(DECISION)}\n\`\`\`` };
    current().script(error(400), fenced, fenced);
    expect(await current().model.ask(objectRequest())).toMatchObject({ value: DECISION });
    expect(await current().model.ask(objectRequest({ invocationId: 'inv-2' }))).toMatchObject({
      value: DECISION,
    });
    const [native, first, second] = current().sent();
    expect(current().sent()).toHaveLength(3);
    expect(first?.system).toContain('"confidence"');
    expect(second?.systemBytes).toBe(first?.systemBytes);
    expect(first?.idempotencyKey).not.toBe(native?.idempotencyKey);
  });

  it('refuses an object that the provider refuses both ways', async () => {
    current().script(error(400), error(400), GOOD);
    expect(await refusalOf(current(), objectRequest())).toMatchObject({ reason: 'model_request_refused' });
    expect(current().sent()).toHaveLength(2);
  });

  it('waits as long as it is told, at least', async () => {
    current().script(
      error(429, { headers: { 'retry-after': '7' } }),
      error(503, { headers: { 'retry-after': '3' } }),
      GOOD,
    );
    await current().model.ask(textRequest());
    const [first, second] = current().pauses();
    expect(first).toBeGreaterThanOrEqual(7000);
    expect(second).toBeGreaterThanOrEqual(3000);
  });

  it('tells the caller of a wait that is too long, and does not wait', async () => {
    current().script(error(429, { headers: { 'retry-after': '3600' } }), GOOD);
    const refusal = await refusalOf(current(), textRequest());
    expect(refusal).toMatchObject({ reason: 'model_rate_limited', retryAfterMs: 3_600_000 });
    expect(current().pauses()).toEqual([]);
  });

  it('tries again where no answer comes in time', async () => {
    current().script({ kind: 'hang' }, GOOD);
    const answer = current().model.ask(textRequest());
    await waitUntil(() => current().sent().length === 1);
    current().expire();
    expect(await answer).toMatchObject({ kind: 'text', text: 'Go on.' });
  });

  it('says that no answer came in time', async () => {
    current().script({ kind: 'hang' }, { kind: 'hang' }, { kind: 'hang' });
    const refusal = refusalOf(current(), textRequest());
    for (const count of [1, 2, 3]) {
      await waitUntil(() => current().sent().length === count);
      current().expire();
    }
    expect(await refusal).toMatchObject({ reason: 'model_unavailable', outage: 'timeout', usages: [] });
  });

  it('ends at once when it is given up, also with what it had cost by then', async () => {
    const caller = new AbortController();
    current().script({ kind: 'text', text: 'no', usage: { input: 10, output: 5 } }, { kind: 'hang' });
    const refusal = refusalOf(current(), objectRequest({ signal: caller.signal }));
    await waitUntil(() => current().sent().length === 2);
    caller.abort();
    expect(await refusal).toMatchObject({ reason: 'model_aborted', usages: [{ inputTokens: 10 }] });
    expect(current().sent()).toHaveLength(2);
  });

  it('asks nobody for a call that was given up before', async () => {
    const refusal = await refusalOf(current(), textRequest({ signal: AbortSignal.abort() }));
    expect(refusal).toMatchObject({ reason: 'model_aborted', usages: [] });
    expect(current().sent()).toEqual([]);
  });
}
