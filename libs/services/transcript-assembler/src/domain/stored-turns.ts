import type { MessageContent, WindowPlanned } from '@palimpsest/contracts';
import type { TranscriptRow } from './turn.js';

/** The artifact that renders an event of a loop's transcript, as the first window that could feed it names it. */
export type StoredTurn = NonNullable<WindowPlanned['turns']>[number];

/** What an event of a loop's transcript says. */
export type LoopTurn = { readonly sequence: number; readonly message: MessageContent };

export function hasNoArtifact({ artifactId }: TranscriptRow): boolean {
  return artifactId === '';
}

/** Rows with the artifacts that a window names for them. */
export function withStoredTurns<Row extends TranscriptRow>(
  rows: readonly Row[],
  turns: readonly StoredTurn[] | undefined,
): readonly Row[] {
  if (!turns || turns.length === 0) return rows;
  const artifacts = new Map(turns.map(({ sequence, artifactId }) => [sequence, artifactId]));
  return rows.map((row) => {
    const artifactId = hasNoArtifact(row) ? artifacts.get(row.sequence) : undefined;
    return artifactId === undefined ? row : { ...row, artifactId };
  });
}
