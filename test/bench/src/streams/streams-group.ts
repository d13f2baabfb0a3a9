import { startAllInOne, type AllInOneDeployment } from '@palimpsest/e2e';
import type { BenchContext, BenchGroup, Row } from '../bench-group.js';
import { UNLIMITED } from '../measure/unlimited.js';
import { residentMemory } from './resident-memory.js';
import { subscribe, type Subscription } from './subscriber.js';

const group = 'streams';

/** Many subscribers on one run: every event once to each, and what a subscriber costs. */
export const streamsGroup: BenchGroup = {
  name: group,
  async run(context) {
    const deployment = await startAllInOne(UNLIMITED);
    try {
      return await manySubscribers(deployment, context);
    } finally {
      await deployment.stop();
    }
  },
};

async function manySubscribers(deployment: AllInOneDeployment, context: BenchContext): Promise<Row[]> {
  const [subscribers, messages] = context.quick ? [50, 20] : [500, 200];
  const { url, key } = { url: deployment.url, key: deployment.key };
  const run = await post(`${url}/v1/runs`, key, { workflowId: 'palimpsest-external' });
  const runUrl = `${url}/v1/runs/${String(run['runId'])}`;
  const pid = deployment.process().pid ?? 0;
  // The first stream makes what all share.
  const first = await subscribe(`${runUrl}/events?streamMode=debug`, key);
  const before = residentMemory(pid);
  const others = await Promise.all(
    Array.from({ length: subscribers - 1 }, () => subscribe(`${runUrl}/events?streamMode=debug`, key)),
  );
  const all = [first, ...others];
  await until(() => all.every(({ received }) => received === 1));
  const open = residentMemory(pid);
  const startedAt = performance.now();
  for (let sent = 0; sent < messages; sent += 1)
    await post(`${runUrl}/turns`, key, { messages: [{ role: 'user', content: `message ${sent}` }] });
  await post(`${runUrl}/finish`, key, {});
  await Promise.all(all.map(({ ended }) => ended));
  const seconds = (performance.now() - startedAt) / 1000;
  const events = messages + 2;
  return [
    {
      group,
      case: `${subscribers} subscribers: events lost`,
      value: sum(all, 'lost') + missing(all, events),
      unit: 'events',
      target: '0',
    },
    {
      group,
      case: `${subscribers} subscribers: events repeated`,
      value: sum(all, 'repeated'),
      unit: 'events',
      target: '0',
    },
    {
      group,
      case: `${subscribers} subscribers: events delivered`,
      value: sum(all, 'received') / seconds,
      unit: '1/s',
    },
    { group, case: 'memory of an open stream', value: (open - before) / (subscribers - 1), unit: 'KiB' },
    {
      group,
      case: 'memory of a stream, after all events',
      value: (residentMemory(pid) - before) / (subscribers - 1),
      unit: 'KiB',
    },
  ];
}

function sum(all: readonly Subscription[], what: 'received' | 'lost' | 'repeated'): number {
  return all.reduce((total, subscription) => total + subscription[what], 0);
}

/** What never came behind the last that came. */
function missing(all: readonly Subscription[], events: number): number {
  return all.reduce(
    (total, { received, lost, repeated }) => total + events - (received - repeated) - lost,
    0,
  );
}

async function post(url: string, key: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new RangeError(`${url} answered ${response.status} ${String(answer['error'])}`);
  return answer;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
