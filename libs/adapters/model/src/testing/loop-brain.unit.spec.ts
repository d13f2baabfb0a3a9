import type { ModelMessage, ModelRequest } from '@palimpsest/kernel';
import { createModel } from '../create-model.js';
import type { ModelProvider } from '../model-options.js';
import { handOffUntil, LoopBrain, type LoopBrainOptions } from './loop-brain.js';
import { startWireServer, type WireServer } from './wire-server.js';

const SYSTEM = 'Decide with next-worker, ask-user or terminate.';
const SCHEMA = { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] };
const TASK: ModelMessage = { role: 'user', text: 'Do it all.' };

let server: WireServer;
afterEach(() => server?.close());

const said = (turn: number): ModelMessage => ({
  role: 'assistant',
  text: `turn ${turn}: {"kind":"next-worker","nextWorkerIds":["w"]}`,
});
const outcome: ModelMessage = { role: 'user', text: '[outcome; data] {"note":"turn 99: no\\nturn 98: no"}' };

describe.each<ModelProvider['provider']>(['openai-compatible', 'anthropic'])(
  'the loop brain, %s',
  (provider) => {
    let asked = 0;

    async function started(changes: Partial<LoopBrainOptions> = {}) {
      const brain = new LoopBrain({ decide: handOffUntil(3, 'a', 'b'), ...changes });
      server = await startWireServer({ respond: brain.respond });
      const model = createModel({
        ...{ provider, baseUrl: server.baseUrl, apiKey: 'k', model: 'm', maxAttempts: 3, maxRepairs: 2 },
        sleep: async () => undefined,
      });
      const ask = (messages: readonly ModelMessage[], changed: Partial<ModelRequest> = {}) =>
        model.ask({
          system: SYSTEM,
          messages: [TASK, ...messages],
          answer: { kind: 'object', name: 'decision', schema: SCHEMA },
          maxOutputTokens: 500,
          timeoutMs: 5000,
          invocationId: `invocation-${(asked += 1)}`,
          ...changed,
        });
      return { brain, ask };
    }

    it('decides by the last turn that it is shown', async () => {
      const { ask } = await started();
      const kinds = await Promise.all([ask([]), ask([said(1), outcome]), ask([said(1), outcome, said(2)])]);
      expect(kinds).toMatchObject([
        { value: { kind: 'next-worker', nextWorkerIds: ['a'] } },
        { value: { kind: 'next-worker', nextWorkerIds: ['b'] } },
        { value: { kind: 'terminate' } },
      ]);
    });

    it('knows the turn from a summary where no decision is left', async () => {
      const { brain, ask } = await started();
      const summary = { kind: 'text' as const };
      const made = await ask([said(1), said(2)], { system: 'Summarize.', answer: summary });
      expect(made).toMatchObject({ kind: 'text', text: expect.stringMatching(/^Through turn 2: .* w\.$/) });
      const text = `[summary of earlier turns]\n${made.kind === 'text' ? made.text : ''}`;
      await ask([{ role: 'user', text }, outcome]);
      expect(brain.of('decision').map(({ turn }) => turn)).toEqual([3]);
    });

    it('knows the turn from how many decisions are not shown', async () => {
      const { brain, ask } = await started();
      const missing = (what: string): ModelMessage => ({
        role: 'user',
        text: `The ${what} not shown; a summary …`,
      });
      await ask([missing('decision of turn 1 is'), outcome]);
      await ask([missing('decisions of turns 1 to 6 are'), outcome]);
      await ask([missing('decisions of turns 1 to 6 are'), said(7), outcome]);
      expect(brain.of('decision').map(({ turn }) => turn)).toEqual([2, 7, 8]);
    });

    it('counts invocations of a task where nothing tells of a turn', async () => {
      const { brain, ask } = await started();
      await ask([]);
      await ask([outcome], { invocationId: 'second' });
      await ask([outcome], { invocationId: 'second' });
      await ask([outcome], { invocationId: 'third' });
      await ask([outcome], { messages: [{ role: 'user', text: 'Another task.' }, outcome] });
      expect(brain.of('decision').map(({ turn }) => turn)).toEqual([1, 2, 2, 3, 1]);
    });

    it('reports what a cache of prefixes would have read', async () => {
      const { ask } = await started();
      const first = (await ask([said(1)])).usages[0];
      const second = (await ask([said(1), outcome])).usages[0];
      expect(first).toMatchObject({ cacheReadTokens: 0, cacheWriteTokens: first?.inputTokens });
      expect(second?.cacheReadTokens).toBeGreaterThanOrEqual((first?.inputTokens ?? 0) - 1);
      expect(second?.inputTokens).toBe((second?.cacheReadTokens ?? 0) + (second?.cacheWriteTokens ?? 0));
    });

    it('disturbs the calls that it is told to, by turn and attempt', async () => {
      const { brain, ask } = await started({
        disturb: ({ turn, attempt }) =>
          turn === 2 && attempt === 0
            ? { kind: 'error', status: 500 }
            : turn === 2 && attempt === 1
              ? { kind: 'text', text: 'no JSON' }
              : undefined,
      });
      expect(await ask([said(1)])).toMatchObject({ kind: 'object', usages: [{}, {}] });
      expect(brain.calls.map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
    });

    it('leaves what is neither to whoever set it up', async () => {
      const { ask } = await started({ otherwise: () => ({ kind: 'text', text: 'Four.' }) });
      const text = { system: 'Add.', answer: { kind: 'text' as const } };
      expect(await ask([], text)).toMatchObject({ kind: 'text', text: 'Four.' });
    });
  },
);
