import { RUN_LOG_SUBJECTS, type JsonValue } from '@palimpsest/contracts';
import { OneAtATime, type BusSubscription, type MessageBus } from '@palimpsest/kernel';
import { appendEvents } from './append-events.js';
import { appendMessages } from './append-messages.js';
import { createRun } from './create-run.js';
import { finishRun } from './finish-run.js';
import { forkLog } from './fork-log.js';
import { listRuns } from './list-runs.js';
import { readEvents } from './read-events.js';
import { readHeader } from './read-header.js';
import type { HandlerPorts, RunLogPorts } from './run-log-ports.js';

type Handler = (ports: HandlerPorts, body: JsonValue) => Promise<JsonValue>;

const HANDLERS: Readonly<Record<keyof typeof RUN_LOG_SUBJECTS, Handler>> = {
  createRun,
  appendMessages,
  finishRun,
  append: appendEvents,
  fork: forkLog,
  header: readHeader,
  list: listRuns,
  read: readEvents,
};

/** Instances share the work through one queue group. */
export const RUN_LOG_QUEUE = 'run-log';

export function answerRequests(bus: MessageBus, ports: RunLogPorts): Promise<readonly BusSubscription[]> {
  const handlerPorts: HandlerPorts = {
    eventLog: ports.eventLog,
    clock: ports.clock,
    inTurn: new OneAtATime(),
  };
  const names = Object.keys(HANDLERS) as (keyof typeof RUN_LOG_SUBJECTS)[];
  return Promise.all(
    names.map((name) =>
      bus.respond(RUN_LOG_SUBJECTS[name], RUN_LOG_QUEUE, (body) => HANDLERS[name](handlerPorts, body)),
    ),
  );
}
