import type { BudgetShape } from '@palimpsest/transcript';
import { allocateTurn, type Room } from './allocate-turn.js';
import type { PlannedRendering } from './rendering-plan.js';
import type { Turn } from './turn.js';
import type { WindowShape } from './window-shape.js';

/** A turn with the size it has, or will have at most, when it is fed. */
export type SizedTurn = Turn & {
  readonly tokens: number;
  /** Entries that are not elided. */
  readonly entries: number;
  readonly renderings: ReadonlyMap<number, PlannedRendering>;
};

/**
 * Sizes turns in the order they were last touched. What was fed before keeps its recorded form; a new or
 * grown turn gets its allowance: every `turnsKept` consecutive turns stay within `avail`.
 */
export function settleTurns(
  turns: readonly Turn[],
  known: ReadonlyMap<number, PlannedRendering>,
  shape: WindowShape,
): SizedTurn[] {
  const sized: SizedTurn[] = [];
  for (const turn of turns) sized.push(settleTurn(turn, known, { shape, before: sized }));
  return sized;
}

/**
 * The last `turnsKept` turns within `avail` whatever they were fed with: one that is larger than its allowance is sized
 * anew. Only a pin makes that happen, as nothing else makes a run's shape smaller than it was.
 */
export function withinShape(
  sized: readonly SizedTurn[],
  known: ReadonlyMap<number, PlannedRendering>,
  shape: WindowShape,
): SizedTurn[] {
  if (!shape.pinned) return [...sized];
  const kept = sized.slice(-shape.turnsKept);
  const { tokens, entries } = sumOf(kept);
  if (tokens <= shape.avail && entries <= shape.entryLimit) return [...sized];
  const before: SizedTurn[] = [];
  for (const turn of kept) {
    const around = { shape, before };
    const room = allowance(around);
    const asFed = settleTurn(turn, known, around);
    const isOutgrown = asFed.tokens > room.tokens || asFed.entries > room.entries;
    before.push(isOutgrown ? settleTurn(turn, NOTHING_FED, around) : asFed);
  }
  return [...sized.slice(0, -shape.turnsKept), ...before];
}

export function sumOf(turns: readonly SizedTurn[]): Room {
  return {
    tokens: turns.reduce((sum, turn) => sum + turn.tokens, 0),
    entries: turns.reduce((sum, turn) => sum + turn.entries, 0),
  };
}

const NOTHING_FED: ReadonlyMap<number, PlannedRendering> = new Map();

type Surroundings = { readonly shape: WindowShape; readonly before: readonly SizedTurn[] };

function settleTurn(
  turn: Turn,
  known: ReadonlyMap<number, PlannedRendering>,
  around: Surroundings,
): SizedTurn {
  const settled = new Map<number, PlannedRendering>();
  for (const { sequence } of turn.rows) {
    const rendering = known.get(sequence);
    if (rendering) settled.set(sequence, rendering);
  }
  const fresh = turn.rows.filter(({ sequence }) => !settled.has(sequence));
  if (fresh.length === 0) return sizedTurn(turn, settled);
  const room = allowance(around);
  const taken = sizedTurn(turn, settled);
  const left: Room = { tokens: room.tokens - taken.tokens, entries: room.entries - taken.entries };
  if (settled.size > 0 && !isCramped(fresh, left, around.shape)) {
    return sizedTurn(turn, new Map([...settled, ...allocateTurn(fresh, left, around.shape)]));
  }
  return sizedTurn(turn, allocateTurn(turn.rows, room, around.shape));
}

/** Where the new part of a grown turn would not get its least form, the whole turn is shared anew. */
function isCramped(fresh: Turn['rows'], left: Room, shape: BudgetShape): boolean {
  const least = fresh.reduce((sum, { tokens }) => sum + Math.min(tokens, shape.messageFloor), 0);
  return least > left.tokens || fresh.length > left.entries;
}

function sizedTurn(turn: Turn, renderings: ReadonlyMap<number, PlannedRendering>): SizedTurn {
  const all = [...renderings.values()];
  return {
    ...turn,
    renderings,
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    entries: all.filter(({ form }) => form !== 'elided').length,
  };
}

/**
 * The least, over k = 1 … turnsKept, of `avail − (turnsKept − k) · turnFloor − (the k−1 turns before)`;
 * entries are shared by the same rule. Beside pins the turns before may have outgrown theirs: that takes nothing from the
 * floor of this one, and is set right when the window is cut.
 */
function allowance({ shape, before }: Surroundings): Room {
  let tokens = Number.MAX_SAFE_INTEGER;
  let entries = Number.MAX_SAFE_INTEGER;
  let tokensBefore = 0;
  let entriesBefore = 0;
  for (let k = 1; k <= shape.turnsKept; k += 1) {
    const future = shape.turnsKept - k;
    tokens = Math.min(tokens, shape.avail - future * shape.turnFloor - tokensBefore);
    entries = Math.min(entries, shape.entryLimit - future * shape.entryFloor - entriesBefore);
    const previous = before[before.length - k];
    tokensBefore += previous?.tokens ?? 0;
    entriesBefore += previous?.entries ?? 0;
  }
  if (!shape.pinned) return { tokens, entries };
  return { tokens: Math.max(tokens, shape.turnFloor), entries: Math.max(entries, shape.entryFloor) };
}
