import {
  eventIdOf,
  placeOfEventId,
  WINDOW_PLANNED,
  type RecordedEvent,
  type WindowPlan,
} from '@palimpsest/contracts';
import {
  artifactIdsOf,
  entryMessage,
  instructionMessage,
  readContents,
  toOpenAiMessages,
} from '@palimpsest/transcript';
import type { MessageContent } from '@palimpsest/contracts';
import { TENANT, type MemoryHost } from '../memory-host.js';

/** A window as a model is sent it, read back the way the gateway reads it. Event ids are the places they name. */
export type FedWindow = {
  readonly sequence: number;
  readonly window: WindowPlan['window'];
  readonly entries: readonly { readonly place: number; readonly rendered: string; readonly tokens: number }[];
  readonly messages: ReturnType<typeof toOpenAiMessages>;
  readonly summarized: readonly {
    readonly summaryRef: string;
    readonly places: readonly number[];
    readonly at: number;
  }[];
};

/** Where the windows of a log stand, by iteration. */
export function windowPlaces(events: readonly RecordedEvent[]): ReadonlyMap<number, number> {
  const windows = events.filter(({ type }) => type === WINDOW_PLANNED);
  return new Map(windows.map(({ payload, sequence }) => [payload['iteration'] as number, sequence]));
}

export async function readWindow(host: MemoryHost, runId: string, iteration: number): Promise<FedWindow> {
  return fedWindow(host, runId, await host.windows.readWindow({ tenantId: TENANT, runId, iteration }));
}

export async function fedWindow(host: MemoryHost, runId: string, plan: WindowPlan): Promise<FedWindow> {
  const { entries, instructions } = plan;
  const ids = [...artifactIdsOf(entries), ...instructions.map(({ artifactId }) => artifactId)];
  const contentOf = await readContents(host.artifacts, TENANT, ids);
  const fed = entries.map((entry) => entryMessage(entry, contentOf));
  const instructed = instructions.map(({ sequence, artifactId }) =>
    instructionMessage(sequence, contentOf<MessageContent>(artifactId)),
  );
  return {
    sequence: ownPlace(runId, plan.eventId),
    window: plan.window,
    entries: entries.map(({ eventId, tokens }, index) => ({
      place: ownPlace(runId, eventId),
      rendered: fed[index]?.rendered ?? '',
      tokens,
    })),
    messages: toOpenAiMessages([...instructed, ...fed]),
    summarized: plan.summarizedRanges.map(({ summaryRef, replacedTurns, eventId }) => ({
      summaryRef,
      places: replacedTurns.map((id) => placeOfEventId(id)?.sequence ?? -1),
      at: ownPlace(runId, eventId),
    })),
  };
}

/** Of an event of the run itself: an id of another run's has no place in its windows. */
function ownPlace(runId: string, eventId: string): number {
  const sequence = placeOfEventId(eventId)?.sequence ?? -1;
  return eventId === eventIdOf(runId, sequence) ? sequence : -1;
}
