import {
  forkedRunSchema,
  recordedForkSchema,
  REPLAY_SUBJECTS,
  runDiffSchema,
  verificationSchema,
  type DiffRuns,
  type ForkedRun,
  type ForkRun,
  type RunDiff,
  type RunQuery,
  type Verification,
} from '@palimpsest/contracts';
import type { MessageBus } from '@palimpsest/kernel';
import { ask } from './ask.js';

/** The preflight reads every summary from the fork point on. */
const FORK_TIMEOUT_MS = 30_000;
/** Two runs are verified: the fork and, where they can be compared, its source. */
const VERIFY_TIMEOUT_MS = 240_000;
/** Two long logs may be equal to their ends. */
const DIFF_TIMEOUT_MS = 120_000;

/** Forks and their verification, over the bus. */
export class ReplayClient {
  readonly #bus: MessageBus;

  constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  /** Ask again with the same `forkRunId` where no answer came: it is the same fork. */
  fork(command: ForkRun): Promise<ForkedRun> {
    const question = { subject: REPLAY_SUBJECTS.fork, body: command, timeoutMs: FORK_TIMEOUT_MS };
    return ask(this.#bus, question, forkedRunSchema);
  }

  /**
   * As `fork`, of a fork that was allowed before under its id and overlay's digest; undefined where none was. Nothing is
   * resolved or checked again: `overlay` may be left out.
   */
  async forkAgain(command: ForkRun): Promise<ForkedRun | undefined> {
    const question = { subject: REPLAY_SUBJECTS.forkAgain, body: command, timeoutMs: FORK_TIMEOUT_MS };
    return (await ask(this.#bus, question, recordedForkSchema)).forked;
  }

  verify(query: RunQuery): Promise<Verification> {
    const question = { subject: REPLAY_SUBJECTS.verify, body: query, timeoutMs: VERIFY_TIMEOUT_MS };
    return ask(this.#bus, question, verificationSchema);
  }

  diff(query: DiffRuns): Promise<RunDiff> {
    const question = { subject: REPLAY_SUBJECTS.diff, body: query, timeoutMs: DIFF_TIMEOUT_MS };
    return ask(this.#bus, question, runDiffSchema);
  }
}
