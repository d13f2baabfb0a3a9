import { HttpClient } from './http-client.js';
import { retryDelay } from './retry-delay.js';

type Answer = Response | Error;
type Sent = { readonly url: string; readonly init: RequestInit };

function clientOf(...answers: (() => Answer)[]): { client: HttpClient; sent: Sent[]; waits: number[] } {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const fetchStub = (async (url: string, init: RequestInit) => {
    const answer = (answers[Math.min(sent.length, answers.length - 1)] as () => Answer)();
    sent.push({ url, init });
    if (answer instanceof Error) throw answer;
    return answer;
  }) as typeof fetch;
  const wait = async (milliseconds: number): Promise<unknown> => waits.push(milliseconds);
  return {
    client: new HttpClient({ url: 'http://server', key: 'secret' }, { fetch: fetchStub, wait }),
    sent,
    waits,
  };
}

const ok = (): Response => Response.json({ fine: true });
const gone = (): Error => new TypeError('fetch failed');
const refusal =
  (status: number, error: string, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json({ error, message: 'Not so.', details: { field: 'messages.1' } }, { status, headers });
const keyOf = ({ init }: Sent): string | undefined =>
  (init.headers as Record<string, string>)['idempotency-key'];
const post = { method: 'POST', path: '/v1/runs', body: { a: 1 } } as const;

describe('HttpClient', () => {
  it('sends key, body and an idempotency key', async () => {
    const { client, sent } = clientOf(ok);
    await expect(client.json(post)).resolves.toEqual({ fine: true });
    expect(sent[0]).toMatchObject({
      url: 'http://server/v1/runs',
      init: { method: 'POST', body: '{"a":1}', headers: { authorization: 'Bearer secret' } },
    });
    expect(keyOf(sent[0] as Sent)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends a POST again under the same key, and another POST under another', async () => {
    const { client, sent } = clientOf(ok, gone, refusal(503, 'service_unavailable'), ok);
    await client.json(post);
    await client.json(post);
    const [first, ...again] = sent.map(keyOf);
    expect(new Set(again).size).toBe(1);
    expect(again).toHaveLength(3);
    expect(again).not.toContain(first);
  });

  it.each([
    ['503', refusal(503, 'service_unavailable', { 'retry-after': '3' })],
    ['429', refusal(429, 'rate_limited', { 'retry-after': '3' })],
    ['a request with this key at work', refusal(409, 'idempotency_in_flight', { 'retry-after': '3' })],
  ])('waits as long as it is asked to after %s', async (_, busy) => {
    const { client, waits } = clientOf(busy, ok);
    await client.json(post);
    expect(waits).toEqual([3000]);
  });

  it('tries a server it has never reached for a moment only', async () => {
    const { client, waits } = clientOf(gone);
    await expect(client.json(post)).rejects.toMatchObject({ code: 'unreachable', exitCode: 3 });
    expect(waits).toEqual([100, 200, 400]);
  });

  it('waits for the restart of a server that has answered before', async () => {
    const { client, waits } = clientOf(ok, gone);
    await client.json(post);
    await expect(client.json(post)).rejects.toMatchObject({ code: 'unreachable' });
    const waited = waits.reduce((total, each) => total + each, 0);
    expect(waited).toBeGreaterThan(20_000);
    expect(waited).toBeLessThanOrEqual(30_000);
  });

  it('passes a refusal on with its code and details, and does not repeat it', async () => {
    const { client, sent } = clientOf(refusal(422, 'tool_result_without_call'));
    await expect(client.json(post)).rejects.toMatchObject({
      code: 'tool_result_without_call',
      message: 'Not so.',
      status: 422,
      details: { field: 'messages.1' },
      exitCode: 3,
    });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a page of something else', () => new Response('<html>', { status: 404 })],
    ['a success that is no JSON', () => new Response('<html>')],
    ['an error without a code', () => Response.json({ detail: 'x' }, { status: 400 })],
  ])('says so where the answer is %s', async (_, answer) => {
    await expect(clientOf(answer).client.json(post)).rejects.toMatchObject({
      code: 'unexpected_answer',
      exitCode: 3,
    });
  });

  it('never says the key', async () => {
    const failures = [gone, refusal(401, 'unauthenticated'), () => new Response('', { status: 500 })];
    for (const failure of failures) {
      const error: unknown = await clientOf(failure)
        .client.json(post)
        .catch((thrown: unknown) => thrown);
      expect(`${String(error)}${JSON.stringify(error)}`).not.toContain('secret');
    }
  });
});

describe('retryDelay', () => {
  const later = (retryAfterSeconds?: number) => ({ kind: 'later', retryAfterSeconds }) as const;

  it('grows, and never goes below what was asked for nor above ten seconds', () => {
    const at = (attempts: number): number | undefined =>
      retryDelay({ kind: 'unreachable' }, { attempts, waitedMs: 0, known: true });
    expect([1, 2, 3, 4, 5, 6, 7].map(at)).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
    expect(retryDelay(later(4), { attempts: 1, waitedMs: 0, known: true })).toBe(4000);
    expect(retryDelay(later(), { attempts: 1, waitedMs: 0, known: true })).toBe(1000);
    expect(retryDelay(later(3600), { attempts: 1, waitedMs: 0, known: true })).toBe(10_000);
  });

  it('ends', () => {
    expect(retryDelay(later(1), { attempts: 9, waitedMs: 29_500, known: true })).toBeUndefined();
  });
});
