export type Server = { readonly url: string; readonly key: string };

export type Completed = {
  readonly runsPerSecond: number;
  /** Milliseconds from the request to create a run until it is known to have completed, ascending. */
  readonly latencies: readonly number[];
};

/** So many clients at once, each creating a run and waiting for its end before the next, until `runs` have completed. */
export async function completeRuns(
  server: Server,
  { clients, runs }: { readonly clients: number; readonly runs: number },
): Promise<Completed> {
  const latencies: number[] = [];
  let begun = 0;
  const startedAt = performance.now();
  const client = async (): Promise<void> => {
    while (begun < runs) {
      begun += 1;
      const from = performance.now();
      await completeOne(server);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  return { runsPerSecond: runs / seconds, latencies: latencies.sort((a, b) => a - b) };
}

async function completeOne({ url, key }: Server): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ workflowId: 'conformance-noop' });
  const created = await answerOf(await fetch(`${url}/v1/runs`, { method: 'POST', headers, body }));
  let last = -1;
  for (;;) {
    const poll = `${url}/v1/runs/${String(created['runId'])}/events/poll?lastSequence=${last}&timeout=30`;
    const page = await answerOf(await fetch(poll, { headers }));
    if (page['isTerminal'] === true) return;
    last = Number(page['lastEventSeq']);
  }
}

async function answerOf(response: Response): Promise<Record<string, unknown>> {
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new RangeError(`The server answered ${response.status} ${String(answer['error'])}`);
  return answer;
}
