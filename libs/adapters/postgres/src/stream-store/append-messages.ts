import type { Pool } from 'pg';
import { bodyText, DUPLICATE_WINDOW_MS, type StreamAppend } from '@palimpsest/kernel';

/**
 * One statement, so that a message stands for all its durables or for none. An id that is remembered inserts
 * nothing; one that is older than the duplicate window and settled everywhere makes way, at a new place. Of two
 * messages of one id in a statement the first counts: the second cannot touch its row again.
 */
const APPEND = `
WITH given AS (
  SELECT DISTINCT ON (stream, id) *
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
    WITH ORDINALITY AS g (stream, id, subject, body, appended_at, expires_at, number)
  ORDER BY stream, id, number
), kept AS (
  INSERT INTO bus.messages AS known (stream, id, subject, body, appended_at, expires_at)
  SELECT stream, id, subject, body, appended_at, expires_at
  FROM given
  WHERE EXISTS (SELECT FROM bus.durables WHERE durables.stream = given.stream)
  ORDER BY number
  ON CONFLICT (stream, id) DO UPDATE
    SET place = DEFAULT, subject = excluded.subject, body = excluded.body,
        appended_at = excluded.appended_at, expires_at = excluded.expires_at
    WHERE known.appended_at <= excluded.appended_at - $7 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM bus.deliveries WHERE deliveries.place = known.place)
  RETURNING stream, place, appended_at
)
INSERT INTO bus.deliveries (stream, durable, place, due_at)
SELECT durables.stream, durables.durable, kept.place, kept.appended_at
FROM kept JOIN bus.durables USING (stream)`;

export async function appendMessages(pool: Pool, appends: readonly StreamAppend[]): Promise<void> {
  await pool.query({
    name: 'bus.append',
    text: APPEND,
    values: [
      appends.map(({ stream }) => stream),
      appends.map(({ message }) => message.id),
      appends.map(({ message }) => message.subject),
      appends.map(({ message }) => bodyText(message.body)),
      appends.map(({ at }) => at),
      appends.map(({ expiresAt }) => expiresAt ?? null),
      DUPLICATE_WINDOW_MS,
    ],
  });
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
