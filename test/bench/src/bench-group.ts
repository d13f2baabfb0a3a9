/** One measured figure. */
export type Row = {
  readonly group: string;
  readonly case: string;
  readonly value: number;
  readonly unit: string;
  /** The value against `baseline`, measured in the same run; `target` says which way is better. */
  readonly ratio?: number;
  readonly baseline?: string;
  /** What the value or the ratio should be, in words. */
  readonly target?: string;
};

export type BenchContext = {
  /** A folder of JSONL transcripts, one `{ messages }` object a line. */
  readonly transcripts?: string;
  /** Servers the runner has started; groups that need none ignore them. */
  readonly databaseUrl?: string;
  readonly natsUrl?: string;
  /** Smaller sizes and fewer rounds, to see that all works. */
  readonly quick?: boolean;
  /** Tells a person what is going on; not part of the results. */
  progress(text: string): void;
};

export type BenchGroup = {
  readonly name: string;
  run(context: BenchContext): Promise<readonly Row[]>;
};
