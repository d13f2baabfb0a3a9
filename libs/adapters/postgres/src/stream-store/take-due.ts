import type { Pool } from 'pg';
import type { JsonValue } from '@palimpsest/contracts';
import type { StreamPosition, TakenMessage, TakeRequest } from '@palimpsest/kernel';

/** Rows that another taker holds are passed over: two consumers never get the same message at once. */
const TAKE = `
WITH due AS (
  SELECT place FROM bus.deliveries
  WHERE stream = $1 AND durable = $2 AND due_at <= $3::timestamptz
  ORDER BY place LIMIT $4
  FOR UPDATE SKIP LOCKED
), taken AS (
  UPDATE bus.deliveries SET attempt = attempt + 1, due_at = $5::timestamptz
  FROM due
  WHERE deliveries.stream = $1 AND deliveries.durable = $2 AND deliveries.place = due.place
  RETURNING deliveries.place, deliveries.attempt
)
SELECT place, id, subject, body, attempt FROM taken JOIN bus.messages USING (place) ORDER BY place`;

type TakenRow = Omit<TakenMessage, 'body'> & { readonly body: string };

export async function takeDue(pool: Pool, request: TakeRequest): Promise<readonly TakenMessage[]> {
  const { stream, durable, now, limit, hiddenUntil } = request;
  const { rows } = await pool.query<TakenRow>({
    name: 'bus.take',
    text: TAKE,
    values: [stream, durable, now, limit, hiddenUntil],
  });
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) as JsonValue }));
}

const NEXT_DUE = `
SELECT due_at AS "dueAt" FROM bus.deliveries
WHERE stream = $1 AND durable = $2 ORDER BY due_at LIMIT 1`;

export async function nextDue(pool: Pool, position: StreamPosition): Promise<Date | undefined> {
  const { rows } = await pool.query<{ dueAt: Date }>(NEXT_DUE, [position.stream, position.durable]);
  return rows[0]?.dueAt;
}
