import { waitUntil } from '@palimpsest/kernel/testing';
import type { Deployment } from '../deployment.js';
import { loopEvents, ofType, type LoopEvent } from '../loop/loop-run.js';
import { waitForTelemetry } from './registry-flow.js';

type Billed = Readonly<Record<string, unknown>>;

/** A run of one's own loop whose summaries a model writes, as far as its first bill; and what was told of that. */
export async function billedOwnLoop(
  running: Pick<Deployment, 'api'>,
  said: string,
): Promise<{ readonly usage: LoopEvent['payload']; readonly told: Billed; readonly text: string }> {
  const { api } = running;
  const context = { transcriptTokenBudget: 1600, tokenCounter: 'chars', keepLastTurns: 1 };
  const { runId } = await api.ok(
    api.post('/v1/runs', { workflowId: 'palimpsest-external', configurable: { context } }),
  );
  const run = `/v1/runs/${String(runId)}`;
  for (let turn = 0; turn < 6; turn += 1) {
    const content = `${said} Step ${turn} went well. ${'It took a while. '.repeat(30)}`;
    await api.ok(api.post(`${run}/turns`, { messages: [{ role: 'assistant', content }] }));
    await api.ok(api.post(`${run}/windows`));
  }
  const bills = async () => ofType(await loopEvents(api, String(runId)), 'provider.usage');
  await waitUntil(async () => (await bills()).length > 0, { withinMs: 20_000, what: 'a summary is billed' });
  const [bill] = await bills();
  const told = await waitForTelemetry(running, `run:${String(bill?.eventId)}`);
  return { usage: bill?.payload, told, text: JSON.stringify(told) };
}
