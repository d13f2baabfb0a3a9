import { handOffUntil, LoopBrain, startWireServer } from '@palimpsest/adapter-model/testing';
import type { Variables } from '@palimpsest/e2e';
import { UNLIMITED } from '../measure/unlimited.js';

type Started = { readonly url: string; readonly key: string; stop(): Promise<void> };

export type LoopTimes = {
  /** Milliseconds from one request of a loop to its next, the model's own time left out. */
  readonly iterations: readonly number[];
};

const WORKFLOW = 'conformance-context-budget-live';

/**
 * Loops whose model answers at once, each turn with a hand-off to a worker that does nothing: what is measured is the host,
 * from the answer of one turn to the request of the next.
 */
export async function loopTimes(
  start: (variables: Variables) => Promise<Started>,
  { loops, turns }: { readonly loops: number; readonly turns: number },
): Promise<LoopTimes> {
  const arrivals: number[] = [];
  const brain = new LoopBrain({ decide: handOffUntil(turns, 'conformance-noop') });
  const server = await startWireServer({
    respond: (request) => {
      arrivals.push(performance.now());
      return brain.respond(request);
    },
  });
  const host = await start({
    ...UNLIMITED,
    PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
    PALIMPSEST_MODEL_BASE_URL: server.baseUrl,
    PALIMPSEST_MODEL_NAME: 'scripted',
  });
  try {
    const iterations: number[] = [];
    // The first loop warms up.
    for (let loop = 0; loop <= loops; loop += 1) {
      arrivals.length = 0;
      await completeLoop(host);
      if (loop > 0) iterations.push(...arrivals.slice(1).map((at, place) => at - (arrivals[place] ?? at)));
    }
    return { iterations };
  } finally {
    await host.stop();
    await server.close();
  }
}

async function completeLoop({ url, key }: Started): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ workflowId: WORKFLOW });
  const created = await answerOf(await fetch(`${url}/v1/runs`, { method: 'POST', headers, body }));
  let last = -1;
  for (;;) {
    const poll = `${url}/v1/runs/${String(created['runId'])}/events/poll?lastSequence=${last}&timeout=30`;
    const page = await answerOf(await fetch(poll, { headers }));
    last = Number(page['lastEventSeq']);
    if (page['isTerminal'] === true) return;
  }
}

async function answerOf(response: Response): Promise<Record<string, unknown>> {
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new RangeError(`The server answered ${response.status} ${String(answer['error'])}`);
  return answer;
}
