import { isPalimpsestError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { FORK_COMPLETE } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
import { failFork } from './fail-fork.js';
import { findingsOf, type Findings } from './findings.js';
import { goOnFrom } from './go-on-from.js';
import { openFork } from './open-fork.js';
import { reEmitEvents } from './re-emit-events.js';

/** Pages re-emitted before a fork is answered: short runs are complete by then, long ones go on behind it. */
const PAGES_BEFORE_ANSWER = 2;
/** Pages between two looks at whether this process is to stop. */
const PAGES_AT_A_TIME = 1;
const OPEN_JOBS_AT_ONCE = 100;

/**
 * Makes forks out of their jobs, and finishes those that were left half made. All progress stands in the log
 * and in the job, so any instance may go on where another was killed; several at work on one fork do no harm.
 */
export class ForkWorks {
  readonly #ports: ReplayPorts;
  /** Jobs at work in this instance, by fork. */
  readonly #atWork = new Map<string, Promise<void>>();
  #sweep: Promise<void> | undefined;
  #stopping = false;

  constructor(ports: ReplayPorts) {
    this.#ports = ports;
  }

  /** Resolves when the fork can be used; the rest of a long replay follows in the background. */
  async make(job: ForkJob): Promise<void> {
    const findings = findingsOf(this.#ports, job);
    try {
      await openFork(this.#ports, job);
      const complete = await reEmitEvents(this.#ports, job, { pages: PAGES_BEFORE_ANSWER, findings });
      if (complete) await this.#close(job);
      else void this.#goOn(job, findings);
    } catch (error) {
      await this.#failed(job, error);
      throw error;
    }
  }

  /**
   * Takes up jobs that are open since before an instant. Resolves when each is done or was given up, for now or for good. One
   * at a time: who comes in between waits for the one that is going.
   */
  resume(openSince: Date): Promise<void> {
    this.#sweep ??= this.#resume(openSince).finally(() => (this.#sweep = undefined));
    return this.#sweep;
  }

  async #resume(openSince: Date): Promise<void> {
    const jobs = await this.#ports.jobs.open(openSince, OPEN_JOBS_AT_ONCE);
    for (const job of jobs) {
      if (this.#stopping) return;
      await this.#goOn(job);
    }
  }

  /** Stops between two pages. */
  async close(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#atWork.values());
  }

  /** Never rejects: a job that fails stays open, and is taken up again, unless that cannot help. */
  #goOn(job: ForkJob, findings = findingsOf(this.#ports, job)): Promise<void> {
    const key = `${job.tenantId}/${job.forkRunId}`;
    const atWork = this.#atWork.get(key);
    if (atWork) return atWork;
    const work = this.#finish(job, findings)
      .catch((error: unknown) => this.#failed(job, error))
      .finally(() => this.#atWork.delete(key));
    this.#atWork.set(key, work);
    return work;
  }

  async #finish(job: ForkJob, findings: Findings): Promise<void> {
    await openFork(this.#ports, job);
    while (!(await reEmitEvents(this.#ports, job, { pages: PAGES_AT_A_TIME, findings }))) {
      if (this.#stopping) return;
    }
    await this.#close(job);
  }

  /** Never rejects. What is no error of ours says nothing of the next time. */
  async #failed(job: ForkJob, error: unknown): Promise<void> {
    try {
      if (!isPalimpsestError(error) || error.retryable) throw error;
      await failFork(this.#ports, job, error.code);
    } catch (passing) {
      const code = isPalimpsestError(passing) ? passing.code : 'internal_error';
      this.#ports.logger.warn({ code, runId: job.forkRunId }, 'A fork waits to be finished');
    }
  }

  async #close(job: ForkJob): Promise<void> {
    await this.#ports.races.reach(FORK_COMPLETE);
    await goOnFrom(this.#ports, job);
    await this.#ports.jobs.close(job, this.#ports.clock.now());
  }
}
