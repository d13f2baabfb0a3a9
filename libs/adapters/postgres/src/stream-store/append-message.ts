import type { Pool } from 'pg';
import { bodyText, DUPLICATE_WINDOW_MS, type StreamAppend } from '@palimpsest/kernel';

/**
 * One statement, so that a message stands for all its durables or for none. An id that is remembered inserts
 * nothing; one that is older than the duplicate window and settled everywhere makes way, at a new place.
 */
const APPEND = `
WITH kept AS (
  INSERT INTO bus.messages AS known (stream, id, subject, body, appended_at, expires_at)
  SELECT $1, $2, $3, $4, $5::timestamptz, $6::timestamptz
  WHERE EXISTS (SELECT FROM bus.durables WHERE stream = $1)
  ON CONFLICT (stream, id) DO UPDATE
    SET place = DEFAULT, subject = excluded.subject, body = excluded.body,
        appended_at = excluded.appended_at, expires_at = excluded.expires_at
    WHERE known.appended_at <= $7::timestamptz
      AND NOT EXISTS (SELECT FROM bus.deliveries WHERE deliveries.place = known.place)
  RETURNING place, appended_at
)
INSERT INTO bus.deliveries (stream, durable, place, due_at)
SELECT durables.stream, durables.durable, kept.place, kept.appended_at
FROM kept, bus.durables WHERE durables.stream = $1`;

export async function appendMessage(pool: Pool, append: StreamAppend): Promise<void> {
  const { stream, message, at, expiresAt } = append;
  await pool.query(APPEND, [
    stream,
    message.id,
    message.subject,
    bodyText(message.body),
    at,
    expiresAt ?? null,
    new Date(at.getTime() - DUPLICATE_WINDOW_MS),
  ]);
}

const FORGET_EXPIRED = `DELETE FROM bus.messages WHERE expires_at <= $1::timestamptz`;

const FORGET_SETTLED = `
DELETE FROM bus.messages
WHERE appended_at <= $1::timestamptz
  AND NOT EXISTS (SELECT FROM bus.deliveries WHERE deliveries.place = messages.place)`;

/** Removes what has expired, and what is settled and older than the duplicate window. */
export async function forgetMessages(pool: Pool, now: Date): Promise<void> {
  await pool.query(FORGET_EXPIRED, [now]);
  await pool.query(FORGET_SETTLED, [new Date(now.getTime() - DUPLICATE_WINDOW_MS)]);
}
