import type { Pool } from 'pg';
import type { JsonValue } from '@palimpsest/contracts';
import type { DeadLetter } from '@palimpsest/kernel';

const NEWEST = `
SELECT id, stream, durable, subject, body, attempts, code FROM bus.dead_letters
WHERE stream = $1 ORDER BY number DESC LIMIT $2`;

type DeadLetterRow = Omit<DeadLetter, 'body'> & { readonly body: string };

export async function readDeadLetters(
  pool: Pool,
  stream: string,
  limit: number,
): Promise<readonly DeadLetter[]> {
  const { rows } = await pool.query<DeadLetterRow>(NEWEST, [stream, limit]);
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) as JsonValue })).reverse();
}
