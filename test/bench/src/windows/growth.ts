import type { Pool } from 'pg';
import type { WindowEntry } from '@palimpsest/contracts';
import type { BenchContext, Row } from '../bench-group.js';
import { SampleRun, SETTINGS } from '../measure/sample-run.js';
import type { Services } from '../measure/services.js';
import { timedTurns, type TimedWindow } from './steady-state.js';

type Ports = { readonly services: Services; readonly pool: Pool };

/** What turns cost early and late in one run, and what their windows share. */
export async function growthRows(ports: Ports, context: BenchContext): Promise<Row[]> {
  const turns = context.quick ? 100 : 400;
  const lateTurns = context.quick ? 1000 : 10_000;
  const run = await SampleRun.start(ports.services, 'growth');
  await timedTurns(run, 40);
  context.progress('windows: growth, early turns');
  const early = await stretch(ports, run, turns);
  await run.fillTo(2 * lateTurns - 80);
  await timedTurns(run, 40);
  context.progress('windows: growth, late turns');
  const late = await stretch(ports, run, turns);
  const from = `the turns after 40`;
  return [
    {
      group: 'windows',
      case: `bytes stored a turn, at ${lateTurns} turns`,
      value: late.bytes,
      unit: 'bytes',
      ratio: late.bytes / early.bytes,
      baseline: `${from} (${early.bytes.toFixed(0)})`,
      target: 'ratio ≈ 1',
    },
    {
      group: 'windows',
      case: `tokens fed a turn, at ${lateTurns} turns`,
      value: late.fedTokens,
      unit: 'tokens',
      ratio: late.fedTokens / early.fedTokens,
      baseline: `${from} (${early.fedTokens.toFixed(0)})`,
      target: 'ratio ≈ 1',
    },
    ...sharedRows([...early.windows, ...late.windows]),
  ];
}

type Stretch = {
  readonly bytes: number;
  readonly fedTokens: number;
  readonly windows: readonly TimedWindow[];
};

async function stretch({ pool }: Ports, run: SampleRun, turns: number): Promise<Stretch> {
  const before = { bytes: await storedBytes(pool), fed: run.fedTokens };
  const windows = await timedTurns(run, turns);
  return {
    bytes: ((await storedBytes(pool)) - before.bytes) / turns,
    fedTokens: (run.fedTokens - before.fed) / turns,
    windows,
  };
}

/** Tables, their indexes and what is stored out of line. */
const STORED_BYTES = `
SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class
WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('run_log', 'artifact_store', 'transcript_assembler')`;

async function storedBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(STORED_BYTES);
  return Number(rows[0]?.bytes);
}

function sharedRows(windows: readonly TimedWindow[]): Row[] {
  const plans = windows.map(({ plan }) => plan);
  const fed = plans.slice(1).reduce((sum, { window }) => sum + window.tokenCount, 0);
  const reused = plans
    .slice(1)
    .reduce((sum, plan, before) => sum + sharedPrefix(plans[before]?.entries ?? [], plan.entries), 0);
  const over = plans.filter(({ window }) => window.tokenCount > SETTINGS.transcriptTokenBudget).length;
  return [
    {
      group: 'windows',
      case: `prefix shared with the window before, of ${plans.length}`,
      value: reused / fed,
      unit: 'of tokens fed',
      target: 'value ≥ 0.9',
    },
    {
      group: 'windows',
      case: `windows over budget, of ${plans.length}`,
      value: over,
      unit: '',
      target: 'value = 0',
    },
  ];
}

/** Tokens of the entries at the start that are the same bytes. */
function sharedPrefix(before: readonly WindowEntry[], after: readonly WindowEntry[]): number {
  let tokens = 0;
  for (const [place, entry] of after.entries()) {
    const other = before[place];
    if (other?.artifactId !== entry.artifactId || other.form !== entry.form) break;
    tokens += entry.tokens;
  }
  return tokens;
}
