import type { SummaryInForce } from './summary-in-force.js';
import type { TranscriptRow } from './turn.js';

export type SummaryWanted = {
  readonly rows: readonly TranscriptRow[];
  /** Summaries in force that it takes the place of, oldest first. */
  readonly absorbed: readonly SummaryInForce[];
  readonly maxTokens: number;
  /** The rows divided, where each part is to be summarized by itself first. */
  readonly parts?: readonly (readonly TranscriptRow[])[];
};

export type SummaryAnswer = {
  readonly summaryRef: string;
  readonly tokens: number;
  /** What it stands for, where that is not all that was wanted. */
  readonly rows?: readonly TranscriptRow[];
};

/** A summary that was made ahead, and the rows that it stands for: the first ones of those wanted. */
export type PreparedSummary = SummaryAnswer & { readonly rows: readonly TranscriptRow[] };

/** What the planner asks of the world. A replay answers from the record. */
export type AssemblyEffects = {
  /** A cut rendering within `max`, stored; undefined where not even the shortest form fits. */
  cut(row: TranscriptRow, max: number): Promise<{ artifactId: string; tokens: number } | undefined>;
  /** A stored summary within `maxTokens`, or undefined: then the rows are evicted. */
  summarize(wanted: SummaryWanted): Promise<SummaryAnswer | undefined>;
  /** A summary that is ready, of the first rows of those wanted; nothing is made, and nothing waited for. */
  prepared?(wanted: SummaryWanted): Promise<PreparedSummary | undefined>;
};
