import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { BenchContext, Row } from '../bench-group.js';
import { TENANT, type SampleRun } from '../measure/sample-run.js';
import { median, medianRatio } from '../measure/statistics.js';
import { steadyRun } from '../windows/steady-state.js';
import type { ForkPorts } from './fork-ports.js';

const COLUMNS = `sequence, type, node_id, causation_id, schema_version, payload, payload_bytes, recorded_at,
  tokens_o200k_base, tokens_cl100k_base, tokens_chars, content_hash, link`;

const CREATE_COPIES = `
CREATE SCHEMA copies;
CREATE TABLE copies.events (LIKE run_log.events INCLUDING ALL)`;

const COPY = `
INSERT INTO copies.events (tenant_id, run_id, ${COLUMNS})
SELECT tenant_id, $3, ${COLUMNS} FROM run_log.events WHERE tenant_id = $1 AND run_id = $2 ORDER BY sequence`;

/** How often a replay is asked how far it is: seldom enough to cost nothing, often enough to be a hundredth of its time. */
const POLL_MS = 10;

/**
 * A whole run re-emitted, against the server copying the same rows by itself in one statement, and against a run a
 * quarter as long.
 */
export async function replayRates(ports: ForkPorts, context: BenchContext): Promise<Row[]> {
  const events = context.quick ? 4000 : 20_000;
  const { services, pool } = ports;
  context.progress(`forks: a run of ${events} events`);
  const source = await steadyRun(services, 'replayed', events);
  const shorter = await steadyRun(services, 'replayed-shorter', events / 4);
  await pool.query(CREATE_COPIES);
  const replays: number[] = [];
  const shorterReplays: number[] = [];
  const copies: number[] = [];
  for (let round = 0; round < (context.quick ? 3 : 9); round += 1) {
    context.progress(`forks: replay ${round + 1}`);
    replays.push(await replayRate(ports, source, `replay-${round}`));
    copies.push(await copyRate(pool, source, `copy-${round}`));
    shorterReplays.push(await replayRate(ports, shorter, `shorter-replay-${round}`));
  }
  return rowsOf({ source, shorter }, { replays, shorterReplays, copies });
}

type Rates = Readonly<Record<'replays' | 'shorterReplays' | 'copies', number[]>>;

function rowsOf(
  { source, shorter }: Readonly<Record<'source' | 'shorter', SampleRun>>,
  { replays, shorterReplays, copies }: Rates,
): Row[] {
  const row = {
    group: 'forks',
    case: `replay of ${source.events} events`,
    value: median(replays),
    unit: 'events/s',
  };
  return [
    {
      ...row,
      ratio: medianRatio(replays, copies),
      baseline: `INSERT … SELECT (${median(copies).toFixed(0)})`,
      target: 'ratio ≥ 0.5',
    },
    {
      ...row,
      ratio: medianRatio(replays, shorterReplays),
      baseline: `replay of ${shorter.events} events (${median(shorterReplays).toFixed(0)})`,
      target: 'ratio ≥ 0.8',
    },
  ];
}

async function replayRate(
  { replay, services }: ForkPorts,
  source: SampleRun,
  forkRunId: string,
): Promise<number> {
  const started = performance.now();
  await replay.fork({ tenantId: TENANT, runId: source.runId, forkRunId, mode: 'replay' });
  while (((await services.log.header(TENANT, forkRunId))?.head ?? -1) < source.events - 1)
    await pause(POLL_MS);
  return (source.events * 1000) / (performance.now() - started);
}

async function copyRate(pool: Pool, source: SampleRun, copy: string): Promise<number> {
  const started = performance.now();
  const { rowCount } = await pool.query(COPY, [TENANT, source.runId, copy]);
  return ((rowCount ?? 0) * 1000) / (performance.now() - started);
}
