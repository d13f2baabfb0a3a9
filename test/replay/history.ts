import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  placeOfEventId,
  type JsonObject,
  type MessageContent,
  type RecordedEvent,
  type WorkflowDefinition,
} from '@palimpsest/contracts';
import { loopMessage, returnedMessage } from '@palimpsest/transcript';

/** A run as it was once recorded, and the definition that it stayed with. */
export type History = {
  readonly definition: WorkflowDefinition;
  /** Outputs of the children by their runs' ids: the log refers to them. */
  readonly returned: Readonly<Record<string, JsonObject>>;
  readonly events: readonly RecordedEvent[];
};

/** What an event says in the run's transcript. */
export function messageOf(history: History, event: RecordedEvent): MessageContent | undefined {
  if (event.type !== 'palimpsest.worker.returned') return loopMessage(event);
  const { workerId, childRunId } = event.payload as {
    readonly workerId: string;
    readonly childRunId: string;
  };
  const started = history.events.find(
    ({ payload }) => payload['phase'] === 'dispatch.succeeded' && payload['childRunId'] === childRunId,
  );
  const began = placeOfEventId(started?.causationId ?? '')?.sequence ?? -1;
  return returnedMessage({ workerId, began, outputs: history.returned[childRunId] ?? {} });
}

export function readHistory(name: string): History {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'histories', `${name}.json`), 'utf8')) as History;
}

/** What a log says, without what only its own store knows: ids of artifacts by their order of appearance. */
export function comparable(events: readonly RecordedEvent[]): readonly object[] {
  const seen = new Map<string, string>();
  const inOrder = (id: string): string => {
    const known = seen.get(id) ?? `artifact ${seen.size + 1}`;
    seen.set(id, known);
    return known;
  };
  return events.map(({ sequence, type, nodeId, causationId, payload }) => {
    const text = JSON.stringify(sorted({ sequence, type, nodeId, causationId, payload }));
    return JSON.parse(text.replaceAll(/art_[\w-]{32}/g, inOrder)) as object;
  });
}

/** Stores keep no order of keys, and artifacts are named in the order of the text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
