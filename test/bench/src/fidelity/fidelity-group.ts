import type { MessageContent } from '@palimpsest/contracts';
import type { BenchContext, BenchGroup, Row } from '../bench-group.js';
import { DropOldest } from './drop-oldest.js';
import { emptyTally, measureSession, type Tally, type WindowSource } from './measure-session.js';
import { PlannedWindows } from './planned-windows.js';
import { readTranscripts } from './read-transcripts.js';

const COUNTER = 'o200k_base';
const TARGETS: readonly (readonly [budget: number, target: number])[] = [
  [400, 0.97],
  [800, 0.99],
  [1200, 0.995],
];

/**
 * Share of the argument values of later tool calls that had appeared before and still stand in the window fed, on
 * real transcripts and where the budget bites; against dropping the oldest turns.
 */
export const fidelityGroup: BenchGroup = {
  name: 'fidelity',
  async run(context: BenchContext): Promise<readonly Row[]> {
    if (context.transcripts === undefined) {
      context.progress('fidelity: no transcripts given (--transcripts DIR or PALIMPSEST_TRANSCRIPTS)');
      return [];
    }
    const sessions = readTranscripts(context.transcripts);
    const rows: Row[] = [];
    for (const [budget, target] of TARGETS) {
      context.progress(`fidelity: ${sessions.length} sessions at ${budget} tokens`);
      rows.push(...(await measured(sessions, budget, target)));
    }
    return rows;
  },
};

async function measured(
  sessions: readonly (readonly MessageContent[])[],
  budget: number,
  target: number,
): Promise<Row[]> {
  const ours = await tallied(sessions, () =>
    PlannedWindows.start({
      transcriptTokenBudget: budget,
      tokenCounter: COUNTER,
      keepLastTurns: 1,
      strategy: 'sliding-window',
    }),
  );
  const dropping = await tallied(sessions, async () => new DropOldest(budget, COUNTER));
  const row = (name: string, kept: number, baseline: number): Row => ({
    group: 'fidelity',
    case: `${name}, ${budget} ${COUNTER} tokens (${ours.windows} windows)`,
    value: kept,
    unit: 'share',
    ratio: kept / baseline,
    baseline: 'dropping oldest turns',
    target: `≥ ${target}`,
  });
  return [
    row(`${ours.values} values`, ours.kept / ours.values, dropping.kept / dropping.values),
    row(
      `${ours.longValues} values of more than one character`,
      ours.longKept / ours.longValues,
      dropping.longKept / dropping.longValues,
    ),
  ];
}

type Closable = WindowSource & { close?(): Promise<void> };

async function tallied(
  sessions: readonly (readonly MessageContent[])[],
  start: () => Promise<Closable>,
): Promise<Tally> {
  const tally = emptyTally();
  for (const session of sessions) {
    const source = await start();
    await measureSession(session, source, tally);
    await source.close?.();
  }
  return tally;
}
