/** Where a `context.summarized` stands: on the log, or as the n-th of those that are recorded with the window being planned. */
export type SummaryPlace = { readonly sequence: number } | { readonly index: number };

/** A summary that stands for turns older than those fed, as of now. */
export type SummaryInForce = {
  readonly summaryRef: string;
  readonly tokens: number;
  readonly place: SummaryPlace;
  /** Its record counts in another unit. */
  readonly recounted?: true;
};

export function tokensOf(summaries: readonly { readonly tokens: number }[]): number {
  return summaries.reduce((sum, { tokens }) => sum + tokens, 0);
}

export function refsOf(summaries: readonly SummaryInForce[]): string[] {
  return summaries.map(({ summaryRef }) => summaryRef);
}
