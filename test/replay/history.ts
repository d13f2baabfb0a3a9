import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  placeOfEventId,
  WORKER_RETURNED,
  type JsonObject,
  type MessageContent,
  type RecordedEvent,
  type WorkflowDefinition,
} from '@palimpsest/contracts';
import { loopMessage, returnedMessage } from '@palimpsest/transcript';

export const HISTORIES = join(import.meta.dirname, 'histories');

/** A run that the host executed, as it was once recorded, and the definition that it stayed with. */
export type WorkflowHistory = {
  /** Absent in the first of them. */
  readonly kind?: 'workflow';
  readonly definition: WorkflowDefinition;
  /** Outputs of the children by their runs' ids: the log refers to them. */
  readonly returned: Readonly<Record<string, JsonObject>>;
  readonly events: readonly RecordedEvent[];
};

/** A run whose loop was its caller's. */
export type OwnLoopHistory = {
  readonly kind: 'own-loop';
  /** What the host was set to, where it decided on windows. */
  readonly host: { readonly summaryJobTokens?: number };
  /** Of a fork, whose events are those from the fork point on. */
  readonly fork?: {
    /** The history of its source. */
    readonly of: string;
    readonly mode: 'branch' | 'replay';
    readonly fromSequence: number;
  };
  /** Messages and pins by their artifacts. */
  readonly contents: Readonly<Record<string, MessageContent>>;
  readonly events: readonly RecordedEvent[];
};

export type History = WorkflowHistory | OwnLoopHistory;

export function historyNames(folder = HISTORIES): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

export function readHistory(name: string): History {
  return JSON.parse(readFileSync(join(HISTORIES, `${name}.json`), 'utf8')) as History;
}

export function isOwnLoop(history: History): history is OwnLoopHistory {
  return history.kind === 'own-loop';
}

export function runIdOf({ events }: History): string {
  const [first] = events;
  if (!first) throw new TypeError('The history is empty.');
  return first.runId;
}

/** The whole log of the run: of a fork with what it shares with its source. */
export function wholeLog(history: History): readonly RecordedEvent[] {
  const fork = isOwnLoop(history) ? history.fork : undefined;
  if (!fork) return history.events;
  return [...wholeLog(readHistory(fork.of)).slice(0, fork.fromSequence), ...history.events];
}

/** What the event refers to, or says in a loop's transcript. */
export function messageOf(history: History, event: RecordedEvent): MessageContent | undefined {
  if (isOwnLoop(history)) return history.contents[event.payload['artifactId'] as string];
  if (event.type !== WORKER_RETURNED) return loopMessage(event);
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

/** What a log says, without what only its own store knows: ids of artifacts by their order of appearance. */
export function comparable(events: readonly RecordedEvent[]): readonly object[] {
  const seen = new Map<string, string>();
  const inOrder = (id: string): string => {
    const known = seen.get(id) ?? `artifact ${seen.size + 1}`;
    seen.set(id, known);
    return known;
  };
  return events.map(({ sequence, type, nodeId, causationId, payload, counts }) => {
    const text = JSON.stringify(sorted({ sequence, type, nodeId, causationId, payload, counts }));
    return JSON.parse(text.replaceAll(/art_[\w-]{32}/g, inOrder)) as object;
  });
}

/** As {@link comparable}, of runs that say the same of themselves and their source: events by their place. */
export function comparableBetweenRuns(events: readonly RecordedEvent[]): readonly object[] {
  const text = JSON.stringify(comparable(events));
  return JSON.parse(
    text.replaceAll(/evt-[\w-]+-\d+/g, (id) => `event ${placeOfEventId(id)?.sequence}`),
  ) as readonly object[];
}

/** Stores keep no order of keys, and artifacts are named in the order of the text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
