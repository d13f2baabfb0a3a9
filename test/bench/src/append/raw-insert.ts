import type { Pool } from 'pg';
import type { Contender } from './contender.js';
import { sampleEvent } from './sample-event.js';

const COLUMNS = [
  'tenant_id',
  'run_id',
  'sequence',
  'type',
  'node_id',
  'causation_id',
  'schema_version',
  'payload',
  'payload_bytes',
  'tokens_o200k_base',
  'tokens_cl100k_base',
  'tokens_chars',
  'recorded_at',
];

/** A table with the columns, the defaults and the indexes of the log's, and nothing else. */
const CREATE_TABLE = `
CREATE SCHEMA raw;
CREATE TABLE raw.events (LIKE run_log.events INCLUDING ALL)`;

/** The same rows by the driver alone, one prepared statement each: no head, no version check, no row of the run. */
export async function rawInsert(pool: Pool): Promise<Contender> {
  await pool.query(CREATE_TABLE);
  return {
    name: 'raw driver INSERT',
    writer: (runId) => {
      let next = 0;
      return async (count) => {
        const rows = Array.from({ length: count }, (_, place) => rowOf(runId, next + place));
        await pool.query({ name: `raw_insert_${count}`, text: insertSql(count), values: rows.flat() });
        next += count;
      };
    },
  };
}

const statements = new Map<number, string>();

function insertSql(rows: number): string {
  const known = statements.get(rows);
  if (known !== undefined) return known;
  const parameters = (row: number): string =>
    COLUMNS.map((_, column) => `$${row * COLUMNS.length + column + 1}`).join(', ');
  const values = Array.from({ length: rows }, (_, row) => `(${parameters(row)})`).join(', ');
  const made = `INSERT INTO raw.events (${COLUMNS.join(', ')}) VALUES ${values}`;
  statements.set(rows, made);
  return made;
}

function rowOf(runId: string, sequence: number): unknown[] {
  const { type, payload, schemaVersion, counts } = sampleEvent(sequence);
  const json = JSON.stringify(payload);
  return [
    'bench',
    runId,
    sequence,
    type,
    null,
    null,
    schemaVersion,
    json,
    Buffer.byteLength(json),
    counts?.o200k_base,
    counts?.cl100k_base,
    counts?.chars,
    new Date(),
  ];
}
