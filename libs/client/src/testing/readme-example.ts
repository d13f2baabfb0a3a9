import { ApiError, PalimpsestClient } from '@palimpsest/client';

type Say = (...words: readonly unknown[]) => void;

export async function talk(url: string, key: string, say: Say): Promise<string> {
  const client = new PalimpsestClient({ url, key });
  const { runId } = await client.post('/v1/runs', {
    body: {
      workflowId: 'palimpsest-external',
      configurable: { context: { transcriptTokenBudget: 4000, tokenCounter: 'o200k_base' } },
    },
  });
  const params = { path: { runId } };
  try {
    const messages = [{ role: 'user', content: 'What is a palimpsest?' }] as const;
    await client.post('/v1/runs/{runId}/turns', { params, body: { messages } });
    const window = await client.post('/v1/runs/{runId}/windows', { params, body: {} });
    say(`send these ${window.messages.length} messages: ${window.tokenCount} tokens`);
    await client.post('/v1/runs/{runId}/finish', { params, body: {} });
  } catch (error) {
    if (error instanceof ApiError) say(error.status, error.code, error.requestId);
    throw error;
  }
  for await (const event of client.followEvents(runId)) say(event.sequence, event.type);
  return (await client.waitForTerminal(runId, { signal: AbortSignal.timeout(60_000) })).status;
}
