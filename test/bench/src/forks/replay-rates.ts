import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { BenchContext, Row } from '../bench-group.js';
import { TENANT, type SampleRun } from '../measure/sample-run.js';
import { median, medianRatio } from '../measure/statistics.js';
import { steadyRun } from '../windows/steady-state.js';
import type { ForkPorts } from './fork-ports.js';

const COLUMNS = `sequence, type, node_id, causation_id, schema_version, payload, payload_bytes, recorded_at,
  tokens_o200k_base, tokens_cl100k_base, tokens_chars`;

const CREATE_COPIES = `
CREATE SCHEMA copies;
CREATE TABLE copies.events (LIKE run_log.events INCLUDING ALL)`;

const COPY = `
INSERT INTO copies.events (tenant_id, run_id, ${COLUMNS})
SELECT tenant_id, $3, ${COLUMNS} FROM run_log.events WHERE tenant_id = $1 AND run_id = $2 ORDER BY sequence`;

/** A whole run re-emitted, against the server copying the same rows by itself in one statement. */
export async function replayRates(ports: ForkPorts, context: BenchContext): Promise<Row[]> {
  const events = context.quick ? 4000 : 20_000;
  const { services, pool } = ports;
  context.progress(`forks: a run of ${events} events`);
  const source = await steadyRun(services, 'replayed', events);
  await pool.query(CREATE_COPIES);
  const replays: number[] = [];
  const copies: number[] = [];
  for (let round = 0; round < (context.quick ? 2 : 5); round += 1) {
    context.progress(`forks: replay ${round + 1}`);
    replays.push(await replayRate(ports, source, `replay-${round}`));
    copies.push(await copyRate(pool, source, `copy-${round}`));
  }
  return [
    {
      group: 'forks',
      case: `replay of ${source.events} events`,
      value: median(replays),
      unit: 'events/s',
      ratio: medianRatio(replays, copies),
      baseline: `INSERT … SELECT (${median(copies).toFixed(0)})`,
      target: 'ratio ≥ 0.5',
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
  while (((await services.log.header(TENANT, forkRunId))?.head ?? -1) < source.events - 1) await pause(2);
  return (source.events * 1000) / (performance.now() - started);
}

async function copyRate(pool: Pool, source: SampleRun, copy: string): Promise<number> {
  const started = performance.now();
  const { rowCount } = await pool.query(COPY, [TENANT, source.runId, copy]);
  return ((rowCount ?? 0) * 1000) / (performance.now() - started);
}
