import { PIN_SUBJECTS, RUN_LOG_SUBJECTS, WORKFLOW_RUN_SUBJECTS, type JsonValue } from '@palimpsest/contracts';
import { OneAtATime, type BusSubscription, type MessageBus } from '@palimpsest/kernel';
import { addPin } from './add-pin.js';
import { appendEvents } from './append-events.js';
import { appendMessages } from './append-messages.js';
import { cancelRun } from './cancel-run.js';
import { createRun } from './create-run.js';
import { finishRun } from './finish-run.js';
import { forkLog } from './fork-log.js';
import { listRuns } from './list-runs.js';
import { readContextReferences } from './read-context-references.js';
import { readEvents } from './read-events.js';
import { readHeader } from './read-header.js';
import { reEmitEvents } from './re-emit-events.js';
import { removePin } from './remove-pin.js';
import { resolveInterrupt } from './resolve-interrupt.js';
import type { HandlerPorts, RunLogPorts } from './run-log-ports.js';
import { startWorkflow } from './start-workflow.js';

type Handler = (ports: HandlerPorts, body: JsonValue) => Promise<JsonValue>;

type Subject =
  | (typeof RUN_LOG_SUBJECTS)[keyof typeof RUN_LOG_SUBJECTS]
  | (typeof PIN_SUBJECTS)[keyof typeof PIN_SUBJECTS]
  | (typeof WORKFLOW_RUN_SUBJECTS)[keyof typeof WORKFLOW_RUN_SUBJECTS];

const HANDLERS: Readonly<Record<Subject, Handler>> = {
  [RUN_LOG_SUBJECTS.createRun]: createRun,
  [RUN_LOG_SUBJECTS.appendMessages]: appendMessages,
  [RUN_LOG_SUBJECTS.finishRun]: finishRun,
  [RUN_LOG_SUBJECTS.append]: appendEvents,
  [RUN_LOG_SUBJECTS.reEmit]: reEmitEvents,
  [RUN_LOG_SUBJECTS.fork]: forkLog,
  [RUN_LOG_SUBJECTS.header]: readHeader,
  [RUN_LOG_SUBJECTS.list]: listRuns,
  [RUN_LOG_SUBJECTS.read]: readEvents,
  [RUN_LOG_SUBJECTS.contextReferences]: readContextReferences,
  [PIN_SUBJECTS.add]: addPin,
  [PIN_SUBJECTS.remove]: removePin,
  [WORKFLOW_RUN_SUBJECTS.start]: startWorkflow,
  [WORKFLOW_RUN_SUBJECTS.resolveInterrupt]: resolveInterrupt,
  [WORKFLOW_RUN_SUBJECTS.cancel]: cancelRun,
};

/** Instances share the work through one queue group. */
export const RUN_LOG_QUEUE = 'run-log';

export function answerRequests(bus: MessageBus, ports: RunLogPorts): Promise<readonly BusSubscription[]> {
  const { eventLog, clock, onRecorded, replayFlags } = ports;
  const inTurn = new OneAtATime();
  const handlerPorts: HandlerPorts = {
    ...{ eventLog, clock, inTurn },
    ...(onRecorded && { onRecorded }),
    ...(replayFlags && { replayFlags }),
  };
  return Promise.all(
    Object.entries(HANDLERS).map(([subject, handler]) =>
      bus.respond(subject, RUN_LOG_QUEUE, (body) => handler(handlerPorts, body)),
    ),
  );
}
