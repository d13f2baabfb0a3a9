import type { EventLink, RunHeader } from '@palimpsest/contracts';
import {
  contentHashOf,
  forkLink,
  genesisLink,
  linkAfter,
  type ChainHash,
  type PlacedContent,
} from './chain.js';

/** What a chain needs to know of a run that wrote some of it. */
export type ChainRun = Pick<RunHeader, 'tenantId' | 'runId' | 'createdAt' | 'origin'>;

/** An event with what its link was made of. */
export type ChainedEvent = PlacedContent & {
  readonly timestamp: string;
  readonly chain?: EventLink | undefined;
};

/** `sequence` is the place of the first event that is not what was recorded, or one past the last. */
export type BrokenLink = {
  readonly sequence: number;
  readonly what: 'sequence' | 'unchained' | 'content' | 'writer' | 'link' | 'beginning' | 'head';
};

export type Chain = {
  /** The run whose chain it is. */
  readonly run: ChainRun & Pick<RunHeader, 'link'>;
  /** The runs that the fork shares events with. */
  readonly ancestors: readonly ChainRun[];
  /** All of the run's, in order, read `withChain`. */
  readonly events: Iterable<ChainedEvent> | AsyncIterable<ChainedEvent>;
};

/**
 * A run's beginning is recorded with its first event, at one time. That of a fork is in the fork record, and no event's.
 */
export function beginsOtherwise(
  { createdAt, origin }: Pick<ChainRun, 'createdAt' | 'origin'>,
  { sequence, timestamp }: Pick<ChainedEvent, 'sequence' | 'timestamp'>,
): boolean {
  return sequence === 0 && !origin && timestamp !== createdAt;
}

/** Makes every hash of a run again, from its beginning; undefined where all are as recorded, the head's included. */
export async function firstBrokenLink(hash: ChainHash, chain: Chain): Promise<BrokenLink | undefined> {
  const walk = new ChainWalk(hash, [...chain.ancestors, chain.run]);
  for await (const event of chain.events) {
    const broken = walk.takes(event);
    if (broken) return broken;
  }
  return walk.endsAt(chain.run.link);
}

/**
 * Makes the hashes of a run again as its events come: `runs` are the run, last, and those it shares events with. Holds
 * one link.
 */
export class ChainWalk {
  readonly #runs: ReadonlyMap<string, ChainRun>;
  #next = 0;
  #writer: string | undefined;
  #link: string | undefined;

  constructor(
    private readonly hash: ChainHash,
    private readonly runs: readonly ChainRun[],
  ) {
    this.#runs = new Map(runs.map((run) => [run.runId, run]));
  }

  /** The place of the event that comes next. */
  get next(): number {
    return this.#next;
  }

  takes(event: ChainedEvent): BrokenLink | undefined {
    const { chain } = event;
    const broken = (what: BrokenLink['what']): BrokenLink => ({ sequence: this.#next, what });
    if (event.sequence !== this.#next) return broken('sequence');
    if (!chain) return broken('unchained');
    const contentHash = contentHashOf(this.hash, event);
    if (contentHash !== chain.contentHash) return broken('content');
    const before = this.#linkBefore(chain.writtenIn);
    if (!before) return broken('writer');
    const { causationId } = chain;
    const link = linkAfter(this.hash, before, { contentHash, timestamp: event.timestamp, causationId });
    if (link !== chain.link) return broken('link');
    const writer = this.#runs.get(chain.writtenIn);
    if (writer && beginsOtherwise(writer, event)) return broken('beginning');
    this.#link = link;
    this.#writer = chain.writtenIn;
    this.#next += 1;
    return undefined;
  }

  /** The head's link stands on the run as well; that of a fork without events of its own is its beginning. */
  endsAt(head: string | undefined): BrokenLink | undefined {
    const link = this.#linkBefore(this.runs.at(-1)?.runId ?? '');
    const whole = link !== undefined && link === head;
    return whole ? undefined : { sequence: this.#next, what: 'head' };
  }

  #linkBefore(writer: string): string | undefined {
    if (writer === this.#writer) return this.#link;
    const run = this.#runs.get(writer);
    return run && this.#beginningOf(run);
  }

  #beginningOf(run: ChainRun): string | undefined {
    const { tenantId, runId, createdAt, origin } = run;
    const startsHere = (origin?.fromSequence ?? 0) === this.#next;
    if (!startsHere) return undefined;
    if (!origin) return genesisLink(this.hash, tenantId, runId);
    const before = this.#next === 0 ? genesisLink(this.hash, tenantId, origin.runId) : this.#link;
    return before && forkLink(this.hash, before, { tenantId, runId, origin, createdAt });
  }
}
