import { isDeepStrictEqual } from 'node:util';
import {
  placeOfEventId,
  type RenderingContent,
  type ReplayFlags,
  type TokenCounterName,
} from '@palimpsest/contracts';
import { isErased, type ArtifactReading, type ArtifactStore, type CountTokens } from '@palimpsest/kernel';
import type {
  AssemblyEffects,
  PreparedSummary,
  SummaryAnswer,
  SummaryWanted,
} from '../domain/assembly-effects.js';
import type { SummaryInForce } from '../domain/summary-in-force.js';
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
  /** Messages that were to be cut and are erased: whatever differs may follow from that. */
  readonly erased: number[] = [];
  #nextSummary = 0;
  /** Where the summaries stand that were answered with. */
  readonly #places = new Map<string, number>();

  constructor(
    private readonly check: WindowToCheck,
    private readonly run: RunKey & { readonly counter: TokenCounterName; readonly flags: ReplayFlags },
    private readonly ports: RecordedEffectsPorts,
  ) {}

  async cut(row: TranscriptRow, max: number): Promise<{ artifactId: string; tokens: number } | undefined> {
    const { content, isOfErased } = await this.ports.cutter.render({ ...this.run, row, max });
    if (isOfErased) this.erased.push(row.sequence);
    if (!content) return undefined;
    const tokens = this.ports.count(content.rendered, this.run.counter);
    const recorded = this.check.recorded.window.cuts.find(({ sequence }) => sequence === row.sequence);
    if (!recorded) return { artifactId: UNRECORDED, tokens };
    const stored = (await this.ports.artifacts.get(this.run.tenantId, [recorded.artifactId])).get(
      recorded.artifactId,
    );
    const what = differenceOf(stored, content);
    if (what) this.mismatches.push({ sequence: row.sequence, what });
    return { artifactId: recorded.artifactId, tokens };
  }

  summarize(wanted: SummaryWanted): Promise<SummaryAnswer | undefined> {
    const named = this.namedBy(wanted);
    // a part that was refused is not among what a summary made of parts stands for
    const inParts = this.check.context.settings.strategy === 'map-reduce' && wanted.rows.length > 0;
    const isWhole = named && (inParts ? named.rows.length > 0 : named.rows.length === wanted.rows.length);
    return Promise.resolve(named && isWhole ? this.taken(named) : undefined);
  }

  /** A summary was ready where the record leaves messages in the window that were to be replaced. */
  prepared(wanted: SummaryWanted): Promise<PreparedSummary | undefined> {
    const named = this.namedBy(wanted);
    const { tailFromSequence } = this.check.recorded.window;
    const isPrefix = named && endOf(named.rows) <= tailFromSequence && tailFromSequence < endOf(wanted.rows);
    return Promise.resolve(isPrefix ? this.taken(named) : undefined);
  }

  private taken({ recorded, rows }: Named): PreparedSummary {
    this.#nextSummary += 1;
    const { summaryRef, tokensAfter } = recorded.summary;
    this.#places.set(summaryRef, recorded.event.sequence);
    return { summaryRef, tokens: tokensAfter, rows };
  }

  /** The next recorded summary, where it names all that is to be absorbed, rows of those wanted, and nothing else. */
  private namedBy({ rows, absorbed }: SummaryWanted): Named | undefined {
    const recorded = this.check.summaries[this.#nextSummary];
    if (!recorded) return undefined;
    // ids may be those of a run that this one was forked from
    const places = new Set(recorded.summary.replacedTurns.map((id) => placeOfEventId(id)?.sequence));
    const named = rows.filter(({ sequence }) => places.has(sequence));
    const isAbsorbed = absorbed.every((summary) => places.has(this.placeOf(summary)));
    return isAbsorbed && places.size === named.length + absorbed.length
      ? { recorded, rows: named }
      : undefined;
  }

  private placeOf({ place, summaryRef }: SummaryInForce): number | undefined {
    return 'sequence' in place ? place.sequence : this.#places.get(summaryRef);
  }
}

function differenceOf(stored: ArtifactReading | undefined, again: RenderingContent): string | undefined {
  if (!stored) return 'its cut rendering is missing';
  if (isErased(stored)) return 'its cut rendering is erased';
  return isDeepStrictEqual(stored.content, again)
    ? undefined
    : 'its cut rendering, made again, is not the recorded one';
}

type Named = { readonly recorded: RecordedSummary; readonly rows: readonly TranscriptRow[] };

function endOf(rows: readonly TranscriptRow[]): number {
  return Math.max(...rows.map(({ sequence }) => sequence)) + 1;
}
