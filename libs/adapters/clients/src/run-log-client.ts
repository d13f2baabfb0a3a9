import {
  appendedMessagesSchema,
  RUN_LOG_SUBJECTS,
  runHeaderSchema,
  type AppendedMessages,
  type AppendMessages,
  type CreateRun,
  type FinishRun,
  type RunHeader,
} from '@palimpsest/contracts';
import type { MessageBus } from '@palimpsest/kernel';
import { ask } from './ask.js';

/** Below 2 s with what the caller adds: whoever asked over HTTP is told by then that nobody answers. */
const TIMEOUT_MS = 1500;
/** A turn may bring thousands of messages. */
const APPEND_TIMEOUT_MS = 5000;

/** The commands of a run whose loop belongs to the caller. A command that may be sent twice carries a `commandId`. */
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
}
