import { TerminalError } from '@palimpsest/kernel';

/** A message event as the planner needs it: counts and places, no text. */
export type TranscriptRow = {
  readonly sequence: number;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Count of the full rendering in the run's unit. */
  readonly tokens: number;
  readonly artifactId: string;
  readonly toolCallIds: readonly string[];
  /** On a tool message: sequence of the assistant message it answers. */
  readonly callSequence?: number;
};

/** What must stay together: one message, or an assistant's tool calls with all their results. */
export type Turn = {
  readonly first: number;
  /** Sequence of its newest event: a late result makes a turn the newest again. */
  readonly last: number;
  readonly rows: readonly TranscriptRow[];
  /** True while a call has no result. */
  readonly waiting: boolean;
};

/** A tool result without its call among the rows: the log or the caller of the planner is broken. */
export class OrphanResultError extends TerminalError {
  constructor(sequence: number) {
    super('internal_error', 'A tool result stands without its call.', { details: { sequence } });
  }
}

function isWaiting(rows: readonly TranscriptRow[]): boolean {
  const calls = rows[0]?.role === 'assistant' ? rows[0].toolCallIds.length : 0;
  return rows.length - 1 < calls;
}

/** Groups rows into turns, least recently touched first. */
export function groupTurns(rows: readonly TranscriptRow[]): Turn[] {
  const byFirst = new Map<number, TranscriptRow[]>();
  for (const row of [...rows].sort((a, b) => a.sequence - b.sequence)) {
    if (row.role !== 'tool') {
      byFirst.set(row.sequence, [row]);
      continue;
    }
    const turn = byFirst.get(row.callSequence ?? -1);
    if (!turn) throw new OrphanResultError(row.sequence);
    turn.push(row);
  }
  return [...byFirst.entries()]
    .map(([first, members]) => ({
      first,
      last: members.at(-1)?.sequence ?? first,
      rows: members,
      waiting: isWaiting(members),
    }))
    .sort((a, b) => a.last - b.last);
}
