import { startAllInOne, startSplit } from '@palimpsest/e2e';
import type { BenchContext, BenchGroup, Row } from '../bench-group.js';
import { UNLIMITED } from '../measure/unlimited.js';
import { completeRuns, type Completed, type Server } from './complete-runs.js';

const group = 'runs';
const CLIENTS = [1, 16, 64] as const;

/** Runs of `conformance-noop`, from the request to the end, as a client over HTTP sees them. */
export const runsGroup: BenchGroup = {
  name: group,
  async run(context) {
    return [
      ...(await shape('all-in-one', () => startAllInOne(UNLIMITED), context)),
      ...(await shape('split', () => startSplit(UNLIMITED), context)),
    ];
  },
};

type Started = Server & { stop(): Promise<void> };

async function shape(name: string, start: () => Promise<Started>, context: BenchContext): Promise<Row[]> {
  const server = await start();
  try {
    const rows: Row[] = [];
    await completeRuns(server, { clients: 8, runs: context.quick ? 10 : 200 });
    let alone: Completed | undefined;
    for (const clients of CLIENTS) {
      context.progress(`runs: ${name}, ${clients} clients`);
      const runs = (context.quick ? 5 : 100) * Math.min(clients, 16);
      const completed = await completeRuns(server, { clients, runs });
      alone ??= completed;
      rows.push(...rowsOf(`${name}, ${clients} clients`, completed, alone));
    }
    return rows;
  } finally {
    await server.stop();
  }
}

function rowsOf(what: string, { runsPerSecond, latencies }: Completed, alone: Completed): Row[] {
  const at = (share: number): number => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  const baseline = '1 client';
  return [
    {
      group,
      case: `${what}: runs completed`,
      value: runsPerSecond,
      unit: '1/s',
      ratio: runsPerSecond / alone.runsPerSecond,
      baseline,
    },
    { group, case: `${what}: create to completed, p50`, value: at(0.5), unit: 'ms' },
    { group, case: `${what}: create to completed, p99`, value: at(0.99), unit: 'ms' },
  ];
}
