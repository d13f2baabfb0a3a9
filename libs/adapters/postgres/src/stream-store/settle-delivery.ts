import type { Pool } from 'pg';
import { bodyText, type DeadLetter, type StreamDelivery } from '@palimpsest/kernel';

export async function acknowledge(pool: Pool, delivery: StreamDelivery): Promise<void> {
  await pool.query('DELETE FROM bus.deliveries WHERE stream = $1 AND durable = $2 AND place = $3', [
    delivery.stream,
    delivery.durable,
    delivery.place,
  ]);
}

const POSTPONE = `
UPDATE bus.deliveries SET due_at = $5::timestamptz
WHERE stream = $1 AND durable = $2 AND place = $3 AND attempt = $4`;

export async function postpone(pool: Pool, delivery: StreamDelivery, until: Date): Promise<void> {
  const { stream, durable, place, attempt } = delivery;
  await pool.query(POSTPONE, [stream, durable, place, attempt, until]);
}

/** The letter's durable is the consumer's name; the delivery's is the position, shared in a work queue. */
const BURY = `
WITH letter AS (
  INSERT INTO bus.dead_letters (stream, durable, id, subject, body, attempts, code, buried_at)
  VALUES ($1, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (stream, durable, id) DO NOTHING
)
DELETE FROM bus.deliveries WHERE stream = $1 AND durable = $2 AND place = $3`;

export type Burial = { readonly letter: DeadLetter; readonly at: Date };

export async function bury(pool: Pool, delivery: StreamDelivery, { letter, at }: Burial): Promise<void> {
  const { stream, durable, place } = delivery;
  await pool.query(BURY, [
    stream,
    durable,
    place,
    letter.durable,
    letter.id,
    letter.subject,
    bodyText(letter.body),
    letter.attempts,
    letter.code,
    at,
  ]);
}
