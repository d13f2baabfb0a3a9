import type { Answer, Host, Json } from './host.js';

/** What a turn of a loop was fed (host specification §9.2). */
export type TranscriptWindow = {
  readonly tokenCounter: string;
  readonly tokenCount: number;
  readonly eventIds: readonly string[];
  readonly summarizedRanges: readonly {
    readonly summaryRef: string;
    readonly replacedTurns: readonly string[];
  }[];
  readonly entries?: readonly { readonly eventId: string; readonly rendered: string }[];
};

/** Iterations are asked for up to here. */
export const MOST_ITERATIONS = 16;

export function askWindow(host: Host, runId: string, iteration: number | string): Promise<Answer> {
  const query = new URLSearchParams({ runId, iteration: String(iteration) });
  return host.get(`/v1/host/sample/agent/transcript-window?${query.toString()}`);
}

/** Bodies of the windows of a run from the first iteration on, up to the first that is not there. */
export async function windowsOf(host: Host, runId: string): Promise<readonly Json[]> {
  const windows: unknown[] = [];
  for (let iteration = 1; iteration <= MOST_ITERATIONS; iteration += 1) {
    const { status, json, text } = await askWindow(host, runId, iteration);
    if ([404, 405, 400, 422].includes(status)) break;
    if (status !== 200) throw new Error(`Window ${iteration} answered ${status}: ${text.slice(0, 300)}`);
    windows.push(json);
  }
  return windows;
}

/** Entries that are summaries: their events say so on the log. */
export function summaryTexts(
  windows: readonly TranscriptWindow[],
  events: readonly Json[],
): readonly string[] {
  const summaries = new Set(
    events.filter(({ type }) => type === 'context.summarized').map(({ eventId }) => String(eventId)),
  );
  return windows.flatMap(({ entries = [] }) =>
    entries.filter(({ eventId }) => summaries.has(eventId)).map(({ rendered }) => rendered),
  );
}
