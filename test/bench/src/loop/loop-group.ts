import type { MessageContent } from '@palimpsest/contracts';
import { startAllInOne, startSplit } from '@palimpsest/e2e';
import type { BenchContext, BenchGroup, Row } from '../bench-group.js';
import { DropOldest } from '../fidelity/drop-oldest.js';
import type { WindowSource } from '../fidelity/measure-session.js';
import { PlannedWindows } from '../fidelity/planned-windows.js';
import { readTranscripts } from '../fidelity/read-transcripts.js';
import { sampleMessage } from '../measure/sample-messages.js';
import { median, percentile } from '../measure/statistics.js';
import { loopTimes, type LoopTimes } from './loop-overhead.js';
import { billedCost, measureReuse, noReuse, type Reuse } from './prefix-reuse.js';
import { SummarizeEveryTurn } from './summarize-every-turn.js';

const group = 'loop';
const COUNTER = 'o200k_base';

/** What a loop's prompts cost with a provider's cache of prefixes, and what the host itself takes of an iteration. */
export const loopGroup: BenchGroup = {
  name: group,
  async run(context) {
    return [...(await reuseRows(context)), ...(await overheadRows(context))];
  },
};

type Sessions = {
  readonly name: string;
  readonly budget: number;
  readonly sessions: readonly (readonly MessageContent[])[];
  readonly target?: string;
};

async function reuseRows(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const sessions of sessionsOf(context)) {
    context.progress(`loop: prompts of ${sessions.name} at ${sessions.budget} tokens`);
    rows.push(...(await compared(sessions)));
  }
  return rows;
}

function sessionsOf({ transcripts, quick }: BenchContext): readonly Sessions[] {
  const long = Array.from({ length: quick ? 200 : 600 }, (_, place) => sampleMessage(place));
  const even = { name: 'a long session of even turns', sessions: [long] };
  const read = transcripts === undefined ? [] : readTranscripts(transcripts);
  const sessions = quick ? read.slice(0, 4) : read;
  const real = { name: `${sessions.length} real transcripts`, sessions };
  return [
    { ...even, budget: 2000 },
    // Of at least 32 mean turns between two prompts.
    { ...even, budget: 8000, target: '≥ 0.9' },
    ...(read.length > 0 ? [1200, 2000, 4000].map((budget) => ({ ...real, budget })) : []),
  ];
}

type Contender = { readonly name: string; start(budget: number): Promise<Closable> };
type Closable = WindowSource & { close?(): Promise<void> };

const OURS: Contender = {
  name: 'our windows',
  start: (transcriptTokenBudget) =>
    PlannedWindows.start({
      transcriptTokenBudget,
      tokenCounter: COUNTER,
      keepLastTurns: 1,
      strategy: 'sliding-window',
    }),
};
const OTHERS: readonly Contender[] = [
  { name: 'dropping oldest turns', start: async (budget) => new DropOldest(budget, COUNTER) },
  { name: 'summarizing every turn', start: async (budget) => new SummarizeEveryTurn(budget, COUNTER) },
];

async function compared({ name, budget, sessions, target }: Sessions): Promise<Row[]> {
  const what = (measure: string, prompts: number): string =>
    `${measure}, ${name}, ${budget} tokens (${prompts} prompts)`;
  const ours = await reuseOf(OURS, sessions, budget);
  const rows: Row[] = [];
  if (ours.prompts === 0) return rows;
  for (const other of OTHERS) {
    const reuse = await reuseOf(other, sessions, budget);
    const against = { group, baseline: other.name };
    rows.push(
      {
        ...against,
        case: what('prompt tokens reused', ours.prompts),
        value: shareOf(ours),
        unit: 'share',
        ratio: shareOf(ours) / shareOf(reuse),
        ...(target !== undefined && { target }),
      },
      {
        ...against,
        case: what('billed cost of a prompt', ours.prompts),
        value: billedCost(ours) / ours.prompts,
        unit: 'plain tokens',
        ratio: billedCost(ours) / ours.prompts / (billedCost(reuse) / reuse.prompts),
      },
    );
  }
  return rows;
}

function shareOf({ reused, tokens }: Reuse): number {
  return reused / tokens;
}

async function reuseOf(contender: Contender, sessions: Sessions['sessions'], budget: number): Promise<Reuse> {
  const reuse = noReuse();
  for (const session of sessions) {
    const source = await contender.start(budget);
    await measureReuse(session, source, { budget, reuse });
    await source.close?.();
  }
  return reuse;
}

async function overheadRows(context: BenchContext): Promise<Row[]> {
  const size = context.quick ? { loops: 1, turns: 8 } : { loops: 10, turns: 45 };
  context.progress('loop: iterations, all-in-one');
  const together = await loopTimes(startAllInOne, size);
  context.progress('loop: iterations, split');
  const apart = await loopTimes(startSplit, size);
  return [...timesOf('all-in-one', together), ...timesOf('split', apart, together)];
}

function timesOf(shape: string, { iterations }: LoopTimes, baseline?: LoopTimes): Row[] {
  return (
    [
      ['p50', median],
      ['p99', (values: readonly number[]) => percentile(values, 0.99)],
    ] as const
  ).map(([name, measure]) => ({
    group,
    case: `${shape}: an iteration without the model's time, ${name} (${iterations.length} iterations)`,
    value: measure(iterations),
    unit: 'ms',
    ...(baseline && { ratio: measure(iterations) / measure(baseline.iterations), baseline: 'all-in-one' }),
  }));
}
