import type { ApiClient } from './api-client.js';
import type { Message } from './conversation.js';
import type { WrittenRun } from './traffic.js';
import { faultsOfWindow, fedBytes, type WindowDocument } from './window-checks.js';

type EventDocument = {
  readonly eventId: string;
  readonly sequence: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

export type Inspection = {
  /** What is wrong with the run, in words. */
  readonly faults: readonly string[];
  readonly messages: number;
  readonly windows: number;
  readonly summaries: number;
};

const AT_ONCE = 8;

/** Looks at a run from outside, against what its writer was told: nothing lost, nothing twice, every window legal. */
export async function inspectRun(api: ApiClient, run: WrittenRun): Promise<Inspection> {
  const { runId } = run;
  const { events } = (await api.ok(api.get(`/v1/runs/${runId}/events`))) as {
    events: readonly EventDocument[];
  };
  const messages = events.filter(({ type }) => type === 'palimpsest.message.appended');
  const summaries = events.filter(({ type }) => type === 'context.summarized');
  const windows = events.filter(({ type }) => type === 'palimpsest.window.planned');
  const verification = await api.ok(api.get(`/v1/runs/${runId}/verification`));
  return {
    faults: [
      ...(events.some(({ sequence }, index) => sequence !== index) ? ['the log is not dense'] : []),
      ...(await faultsOfMessages(api, run, messages)),
      ...(await faultsOfWindows(api, run, windows)),
      ...twiceSummarized(summaries).map((id) => `${id} was summarized twice`),
      ...(verification.ok ? [] : [`verification: ${JSON.stringify(verification.firstDifference)}`]),
    ].map((fault) => `${runId}: ${fault}`),
    messages: messages.length,
    windows: windows.length,
    summaries: summaries.length,
  };
}

/** Every acknowledged message stands at its place, and no other message stands anywhere. */
async function faultsOfMessages(
  api: ApiClient,
  { runId, acknowledged }: WrittenRun,
  messages: readonly EventDocument[],
): Promise<readonly string[]> {
  const places = new Set(messages.map(({ sequence }) => sequence));
  const lost = [...acknowledged.keys()].filter((sequence) => !places.has(sequence));
  const differing = await inBatches(messages, async ({ sequence, payload }) => {
    const known = acknowledged.get(sequence);
    if (!known) return [`message ${sequence} was acknowledged to nobody`];
    const artifact = await api.ok(api.get(`/v1/runs/${runId}/artifacts/${String(payload['artifactId'])}`));
    return sameMessage(known, artifact.content) ? [] : [`message ${sequence} is another than acknowledged`];
  });
  return [...lost.map((sequence) => `message ${sequence} is lost`), ...differing.flat()];
}

function sameMessage(sent: Message, stored: { role: string; text: string; toolCallId?: string }): boolean {
  return (
    stored.role === sent.role &&
    stored.text === (sent.content ?? '') &&
    stored.toolCallId === sent.tool_call_id
  );
}

async function faultsOfWindows(
  api: ApiClient,
  { runId, budget, windows: given }: WrittenRun,
  windows: readonly EventDocument[],
): Promise<readonly string[]> {
  const found = await inBatches(windows, async ({ payload }) => {
    const iteration = payload['iteration'] as number;
    const window: WindowDocument = await api.ok(api.get(`/v1/runs/${runId}/windows/${iteration}`));
    const known = given.get(iteration);
    return [
      ...faultsOfWindow(window, budget),
      ...(known && fedBytes(known) !== fedBytes(window) ? [`window ${iteration} reads otherwise now`] : []),
    ];
  });
  const iterations = windows.map(({ payload }) => payload['iteration']);
  const gap = iterations.some((iteration, index) => iteration !== index + 1);
  const missing = [...given.keys()].filter((iteration) => !iterations.includes(iteration));
  return [
    ...found.flat(),
    ...(gap ? ['iterations are not 1, 2, 3 …'] : []),
    ...missing.map((iteration) => `window ${iteration} is lost`),
  ];
}

function twiceSummarized(summaries: readonly EventDocument[]): readonly string[] {
  const ids = summaries.flatMap(({ payload }) => payload['replacedTurns'] as readonly string[]);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}

/** Every recorded window's bytes, by run and iteration. */
export async function allWindowBytes(
  api: ApiClient,
  runs: readonly WrittenRun[],
): Promise<ReadonlyMap<string, string>> {
  const places = runs.flatMap(({ runId, windows }) =>
    [...windows.keys()].map((iteration) => `/v1/runs/${runId}/windows/${iteration}`),
  );
  const texts = await inBatches(places, async (path) => [path, (await api.get(path)).text] as const);
  return new Map(texts);
}
