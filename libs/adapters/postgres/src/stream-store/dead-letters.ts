import type { Pool } from 'pg';
import type { JsonValue } from '@palimpsest/contracts';
import type { KeptLetter } from '@palimpsest/kernel';

const LETTER = `
SELECT id, stream, durable, subject, body, attempts, code, number::text AS place, buried_at AS "buriedAt"
FROM bus.dead_letters`;

const NEWEST = `${LETTER} WHERE stream = $1 ORDER BY number DESC LIMIT $2`;

const OF_MESSAGE = `${LETTER} WHERE stream = $1 AND id = $2 ORDER BY number`;

type LetterRow = Omit<KeptLetter, 'body'> & { readonly body: string };

export async function readDeadLetters(
  pool: Pool,
  stream: string,
  limit: number,
): Promise<readonly KeptLetter[]> {
  const { rows } = await pool.query<LetterRow>(NEWEST, [stream, limit]);
  return rows.map(letterOf).reverse();
}

export async function readLettersOf(pool: Pool, stream: string, id: string): Promise<readonly KeptLetter[]> {
  const { rows } = await pool.query<LetterRow>(OF_MESSAGE, [stream, id]);
  return rows.map(letterOf);
}

export async function dropLetter(pool: Pool, stream: string, place: string): Promise<void> {
  await pool.query('DELETE FROM bus.dead_letters WHERE stream = $1 AND number = $2', [stream, place]);
}

function letterOf(row: LetterRow): KeptLetter {
  return { ...row, body: JSON.parse(row.body) as JsonValue };
}
