import { waterFill, type BudgetShape } from '@palimpsest/transcript';
import { ELIDED, type PlannedRendering } from './rendering-plan.js';
import type { TranscriptRow } from './turn.js';

/** What a turn (or the new part of one) may take. */
export type Room = { readonly tokens: number; readonly entries: number };

/**
 * Shares a turn's room among its messages. Small ones stay whole, large ones share alike; where not even the
 * least form of each fits, the oldest results are elided. The first message of a turn is never elided.
 */
export function allocateTurn(
  rows: readonly TranscriptRow[],
  room: Room,
  shape: BudgetShape,
): Map<number, PlannedRendering> {
  const kept = keptRows(rows, room, shape);
  const shares = waterFill(
    kept.map(({ tokens }) => tokens),
    room.tokens,
  );
  const planned = new Map<number, PlannedRendering>(rows.map(({ sequence }) => [sequence, ELIDED]));
  kept.forEach((row, index) => {
    const share = shares[index] ?? 0;
    const whole = share >= row.tokens;
    planned.set(
      row.sequence,
      whole ? { form: 'full', tokens: row.tokens } : { form: 'cut-wanted', tokens: share },
    );
  });
  return planned;
}

function keptRows(rows: readonly TranscriptRow[], room: Room, shape: BudgetShape): TranscriptRow[] {
  const least = (row: TranscriptRow): number => Math.min(row.tokens, shape.messageFloor);
  const opening = rows.filter(({ role }) => role !== 'tool');
  let tokens = room.tokens - opening.reduce((sum, row) => sum + least(row), 0);
  let entries = room.entries - opening.length;
  const results: TranscriptRow[] = [];
  for (const row of rows.filter(({ role }) => role === 'tool').reverse()) {
    if (least(row) > tokens || entries < 1) break;
    tokens -= least(row);
    entries -= 1;
    results.unshift(row);
  }
  return [...opening, ...results];
}
