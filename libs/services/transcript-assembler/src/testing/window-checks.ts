import {
  CONTEXT_SUMMARIZED,
  ORCHESTRATOR_DECIDED,
  type ContextSettings,
  type RecordedEvent,
  type WindowPlan,
} from '@palimpsest/contracts';
import { isErased, type ArtifactStore } from '@palimpsest/kernel';
import { countTokens } from '@palimpsest/tokens';
import { renderedText } from '../handlers/rendered-window.js';

/** A window as the seam shows it (host specification §9.2). */
export type SeenWindow = {
  readonly iteration: number;
  readonly tokenCounter: string;
  readonly tokenCount: number;
  readonly eventIds: readonly string[];
  readonly summarizedRanges: readonly {
    readonly summaryRef: string;
    readonly replacedTurns: readonly string[];
  }[];
  readonly entries: readonly { readonly eventId: string; readonly rendered: string }[];
};

export async function seenWindow(
  plan: WindowPlan,
  artifacts: ArtifactStore,
  tenantId: string,
): Promise<SeenWindow> {
  const ids = plan.entries.map(({ artifactId }) => artifactId);
  const readings = await artifacts.get(tenantId, [...new Set(ids)]);
  const entries = plan.entries.map((entry) => {
    const reading = readings.get(entry.artifactId);
    const content = reading && !isErased(reading) ? reading.content : undefined;
    return { eventId: entry.eventId, rendered: content ? renderedText(entry, content) : '(missing)' };
  });
  return {
    iteration: plan.window.iteration,
    tokenCounter: plan.window.tokenCounter,
    tokenCount: plan.window.tokenCount,
    eventIds: plan.entries.filter(({ kind }) => kind !== 'summary').map(({ eventId }) => eventId),
    summarizedRanges: plan.summarizedRanges,
    entries,
  };
}

type Case = {
  readonly window: SeenWindow;
  readonly log: ReadonlyMap<string, RecordedEvent>;
  readonly settings: ContextSettings;
};

/** Numbers of the checks of §9.2 (2 to 11; a type says 1) that a window fails, from the seam and the log alone. */
export function failedChecks(
  window: SeenWindow,
  events: readonly RecordedEvent[],
  settings: ContextSettings,
): number[] {
  const log = new Map(events.map((event) => [event.eventId, event]));
  return CHECKS.flatMap((check, index) => (check({ window, log, settings }) ? [] : [index + 2]));
}

const CHECKS: readonly ((one: Case) => boolean)[] = [
  ({ window, settings }) => window.tokenCounter === settings.tokenCounter,
  ({ window, settings }) => window.tokenCount <= settings.transcriptTokenBudget,
  (one) => {
    const places = placesOf(one);
    return (
      places.every((place) => place >= 0) &&
      places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
    );
  },
  (one) => placesOf(one).every((place) => place < decisionOf(one)),
  ({ window, settings }) =>
    window.tokenCount ===
    window.entries.reduce((sum, { rendered }) => sum + countTokens(rendered, settings.tokenCounter), 0),
  ({ window, log }) => {
    const turns = window.entries.filter(({ eventId }) => log.get(eventId)?.type !== CONTEXT_SUMMARIZED);
    const known = window.entries.every(({ eventId }) => log.has(eventId));
    return known && turns.map(({ eventId }) => eventId).join() === window.eventIds.join();
  },
  ({ window, log }) =>
    window.entries.every(({ eventId }) => {
      const event = log.get(eventId);
      if (event?.type !== CONTEXT_SUMMARIZED) return true;
      const { summaryRef } = event.payload;
      return window.summarizedRanges.some((range) => range.summaryRef === summaryRef);
    }),
  ({ window, log }) => {
    const recorded = [...log.values()].filter(({ type }) => type === CONTEXT_SUMMARIZED);
    return window.summarizedRanges.every(({ summaryRef }) =>
      recorded.some(({ payload }) => payload['summaryRef'] === summaryRef),
    );
  },
  isRecentTail,
  ({ window, log, settings }) => {
    const fed = new Set(window.eventIds);
    const eligible = eligibleEvents({ window, log, settings });
    return eligible
      .slice(eligible.length - Math.min(settings.keepLastTurns, eligible.length))
      .every(({ eventId }) => fed.has(eventId));
  },
];

function placesOf({ window, log }: Case): number[] {
  return window.eventIds.map((id) => log.get(id)?.sequence ?? -1);
}

function decisionOf({ window, log }: Case): number {
  const decision = [...log.values()].find(
    ({ type, payload }) => type === ORCHESTRATOR_DECIDED && payload['iteration'] === window.iteration,
  );
  return decision?.sequence ?? Infinity;
}

function eligibleEvents(one: Case): RecordedEvent[] {
  const decision = decisionOf(one);
  return [...one.log.values()].filter(
    ({ sequence, counts, type }) => counts && sequence < decision && !type.startsWith('palimpsest.pin.'),
  );
}

/** By type and node of what is fed: nothing newer than the oldest fed is left out, unless a summary stands for it. */
function isRecentTail(one: Case): boolean {
  const { window, log } = one;
  const kindOf = ({ type, nodeId }: RecordedEvent): string => `${type} ${nodeId ?? ''}`;
  const fed = new Set(window.eventIds);
  const covered = new Set(window.summarizedRanges.flatMap(({ replacedTurns }) => replacedTurns));
  const oldest = new Map<string, number>();
  for (const id of window.eventIds) {
    const event = log.get(id);
    if (event && !oldest.has(kindOf(event))) oldest.set(kindOf(event), event.sequence);
  }
  const decision = decisionOf(one);
  return [...log.values()].every((event) => {
    const first = oldest.get(kindOf(event));
    if (first === undefined || event.sequence <= first || event.sequence >= decision) return true;
    return fed.has(event.eventId) || covered.has(event.eventId);
  });
}
