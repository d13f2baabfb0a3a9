import { isDeepStrictEqual } from 'node:util';
import { placeOfEventId, type TokenCounterName } from '@palimpsest/contracts';
import { isErased, type ArtifactStore, type CountTokens } from '@palimpsest/kernel';
import type { AssemblyEffects, SummaryWanted } from '../domain/assemble-window.js';
import type { TranscriptRow } from '../domain/turn.js';
import type { WindowToCheck } from '../history/replayed-run.js';
import type { RecordedSummary } from '../history/run-history.js';
import type { MessageCutter } from './message-cutter.js';
import type { RunKey } from './window-describer.js';

/** The planner asked for something else than what was recorded. */
export type Mismatch = { readonly sequence: number; readonly what: string };

export type RecordedEffectsPorts = {
  readonly artifacts: ArtifactStore;
  readonly cutter: MessageCutter;
  readonly count: CountTokens;
};

/** Made on the way to a window that does not feed it. */
const UNRECORDED = 'unrecorded';

/** Answers a planner from the record: cuts are made again and compared, summaries are only looked up. */
export class RecordedEffects implements AssemblyEffects {
  readonly mismatches: Mismatch[] = [];
  #nextSummary = 0;

  constructor(
    private readonly check: WindowToCheck,
    private readonly run: RunKey & { readonly counter: TokenCounterName },
    private readonly ports: RecordedEffectsPorts,
  ) {}

  async cut(row: TranscriptRow, max: number): Promise<{ artifactId: string; tokens: number } | undefined> {
    const content = await this.ports.cutter.render({ ...this.run, row, max });
    if (!content) return undefined;
    const tokens = this.ports.count(content.rendered, this.run.counter);
    const recorded = this.check.recorded.window.cuts.find(({ sequence }) => sequence === row.sequence);
    if (!recorded) return { artifactId: UNRECORDED, tokens };
    const stored = (await this.ports.artifacts.get(this.run.tenantId, [recorded.artifactId])).get(
      recorded.artifactId,
    );
    if (!stored || isErased(stored) || !isDeepStrictEqual(stored.content, content)) {
      this.mismatches.push({
        sequence: row.sequence,
        what: 'its cut rendering, made again, is not the recorded one',
      });
    }
    return { artifactId: recorded.artifactId, tokens };
  }

  summarize(wanted: SummaryWanted): Promise<{ summaryRef: string; tokens: number } | undefined> {
    const recorded = this.check.summaries[this.#nextSummary];
    if (!recorded || !standsFor(recorded, wanted)) return Promise.resolve(undefined);
    this.#nextSummary += 1;
    const { summaryRef, tokensAfter } = recorded.summary;
    return Promise.resolve({ summaryRef, tokens: tokensAfter });
  }
}

/** True where the recorded summary names the rows and nothing else; ids may be those of a run this one was forked from. */
function standsFor({ summary }: RecordedSummary, { rows, previousRef }: SummaryWanted): boolean {
  const places = new Set(summary.replacedTurns.map((id) => placeOfEventId(id)?.sequence));
  const absorbed = previousRef === undefined ? 0 : 1;
  return places.size === rows.length + absorbed && rows.every(({ sequence }) => places.has(sequence));
}
