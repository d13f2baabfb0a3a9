import {
  appendedMessagesSchema,
  PIN_SUBJECTS,
  pinAnswerSchema,
  RUN_LOG_SUBJECTS,
  runHeaderSchema,
  runStatusAnswerSchema,
  WORKFLOW_RUN_SUBJECTS,
  type AddPin,
  type AppendedMessages,
  type AppendMessages,
  type CancelRun,
  type CreateRun,
  type FinishRun,
  type PinAnswer,
  type RemovePin,
  type ResolveInterrupt,
  type RunHeader,
  type RunStatusAnswer,
  type StartWorkflow,
} from '@palimpsest/contracts';
import type { MessageBus } from '@palimpsest/kernel';
import { ask } from './ask.js';

/** Below 2 s with what the caller adds: whoever asked over HTTP is told by then that nobody answers. */
const TIMEOUT_MS = 1500;
/** A turn may bring thousands of messages. */
const APPEND_TIMEOUT_MS = 5000;

/** The commands of a run, whether its loop belongs to the caller or to the host. A command that may be sent twice carries a `commandId`. */
export class RunLogClient {
  readonly #bus: MessageBus;

  constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  /** The run's header as of its creation. */
  createRun(command: CreateRun): Promise<RunHeader> {
    const question = { subject: RUN_LOG_SUBJECTS.createRun, body: command, timeoutMs: TIMEOUT_MS };
    return ask(this.#bus, question, runHeaderSchema);
  }

  appendMessages(command: AppendMessages): Promise<AppendedMessages> {
    const question = {
      subject: RUN_LOG_SUBJECTS.appendMessages,
      body: command,
      timeoutMs: APPEND_TIMEOUT_MS,
    };
    return ask(this.#bus, question, appendedMessagesSchema);
  }

  /** The run's header as it stays. */
  finishRun(command: FinishRun): Promise<RunHeader> {
    const question = { subject: RUN_LOG_SUBJECTS.finishRun, body: command, timeoutMs: TIMEOUT_MS };
    return ask(this.#bus, question, runHeaderSchema);
  }

  /** A run that the host executes: its status as of its creation. */
  startWorkflow(command: StartWorkflow): Promise<RunStatusAnswer> {
    const question = { subject: WORKFLOW_RUN_SUBJECTS.start, body: command, timeoutMs: TIMEOUT_MS };
    return ask(this.#bus, question, runStatusAnswerSchema);
  }

  resolveInterrupt(command: ResolveInterrupt): Promise<RunStatusAnswer> {
    const question = {
      subject: WORKFLOW_RUN_SUBJECTS.resolveInterrupt,
      body: command,
      timeoutMs: TIMEOUT_MS,
    };
    return ask(this.#bus, question, runStatusAnswerSchema);
  }

  /** A text that every window of the run feeds from now on, in a run of any kind. */
  addPin(command: AddPin): Promise<PinAnswer> {
    const question = { subject: PIN_SUBJECTS.add, body: command, timeoutMs: TIMEOUT_MS };
    return ask(this.#bus, question, pinAnswerSchema);
  }

  removePin(command: RemovePin): Promise<PinAnswer> {
    const question = { subject: PIN_SUBJECTS.remove, body: command, timeoutMs: TIMEOUT_MS };
    return ask(this.#bus, question, pinAnswerSchema);
  }

  /** A run of any kind. One that has ended stays as it is: the answer is its status. */
  cancelRun(command: CancelRun): Promise<RunStatusAnswer> {
    const question = { subject: WORKFLOW_RUN_SUBJECTS.cancel, body: command, timeoutMs: TIMEOUT_MS };
    return ask(this.#bus, question, runStatusAnswerSchema);
  }
}
