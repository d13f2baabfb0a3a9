import { TerminalError, type ArtifactStore } from '@palimpsest/kernel';
import type { LoopTurn, StoredTurn } from '../domain/stored-turns.js';
import type { RunKey } from './window-describer.js';

/** Renderings that one call to the artifact store takes. */
const BATCH = 200;

/**
 * Stores what events of a loop's transcript say. The same event gives the same artifact, so that a planner that died and
 * the one that plans again store one; the origin keeps equal turns of other places apart.
 */
export class TurnStore {
  constructor(private readonly artifacts: ArtifactStore) {}

  /** In the order the turns come. */
  async store(run: RunKey, turns: AsyncIterable<LoopTurn>): Promise<StoredTurn[]> {
    const stored: StoredTurn[] = [];
    let batch: LoopTurn[] = [];
    for await (const turn of turns) {
      batch.push(turn);
      if (batch.length < BATCH) continue;
      stored.push(...(await this.put(run, batch)));
      batch = [];
    }
    return batch.length === 0 ? stored : [...stored, ...(await this.put(run, batch))];
  }

  private async put({ tenantId, runId }: RunKey, turns: readonly LoopTurn[]): Promise<StoredTurn[]> {
    const ids = await this.artifacts.put(
      tenantId,
      runId,
      turns.map(({ sequence, message }) => ({
        type: 'message',
        origin: `loop:${runId}:${sequence}`,
        content: message,
      })),
    );
    return turns.map(({ sequence }, index) => ({ sequence, artifactId: idAt(ids, index) }));
  }
}

function idAt(ids: readonly string[], index: number): string {
  const id = ids[index];
  if (id === undefined) throw new TerminalError('internal_error', 'A stored turn has no artifact.');
  return id;
}
