import { Agent, get, type IncomingMessage } from 'node:http';

export type Subscription = {
  /** Frames with an id. */
  readonly received: number;
  /** Sequences that were skipped, and ones that came again. */
  readonly lost: number;
  readonly repeated: number;
  readonly ended: Promise<void>;
};

/** One connection a subscriber, as browsers on as many machines would have. */
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

/** Follows a run with `streamMode=debug` and counts what comes, event by event. Resolves when the answer begins. */
export async function subscribe(url: string, key: string): Promise<Subscription> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent, headers }, resolve).once('error', reject);
  });
  const counts = { received: 0, lost: 0, repeated: 0 };
  let next = 0;
  let rest = '';
  response.setEncoding('latin1');
  response.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('id: ')) continue;
      const sequence = Number(line.slice(4));
      counts.received += 1;
      if (sequence < next) counts.repeated += 1;
      else counts.lost += sequence - next;
      next = Math.max(next, sequence + 1);
    }
  });
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  return Object.assign(counts, { ended });
}
