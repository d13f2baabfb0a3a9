import { isPalimpsestError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { FORK_COMPLETE } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
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
  #stopping = false;

  constructor(ports: ReplayPorts) {
    this.#ports = ports;
  }

  /** Resolves when the fork can be used; the rest of a long replay follows in the background. */
  async make(job: ForkJob): Promise<void> {
    await openFork(this.#ports, job);
    const complete = await reEmitEvents(this.#ports, job, PAGES_BEFORE_ANSWER);
    if (complete) await this.#close(job);
    else void this.#goOn(job);
  }

  /** Takes up jobs that are open since before an instant. Resolves when each is done or was given up for now. */
  async resume(openSince: Date): Promise<void> {
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

  /** Never rejects: a job that fails stays open, and is taken up again. */
  #goOn(job: ForkJob): Promise<void> {
    const key = `${job.tenantId}/${job.forkRunId}`;
    const atWork = this.#atWork.get(key);
    if (atWork) return atWork;
    const work = this.#finish(job)
      .catch((error: unknown) => {
        const code = isPalimpsestError(error) ? error.code : 'internal_error';
        this.#ports.logger.warn({ code, runId: job.forkRunId }, 'A fork waits to be finished');
      })
      .finally(() => this.#atWork.delete(key));
    this.#atWork.set(key, work);
    return work;
  }

  async #finish(job: ForkJob): Promise<void> {
    await openFork(this.#ports, job);
    while (!(await reEmitEvents(this.#ports, job, PAGES_AT_A_TIME))) {
      if (this.#stopping) return;
    }
    await this.#close(job);
  }

  async #close(job: ForkJob): Promise<void> {
    await this.#ports.races.reach(FORK_COMPLETE);
    await goOnFrom(this.#ports, job);
    await this.#ports.jobs.close(job, this.#ports.clock.now());
  }
}
