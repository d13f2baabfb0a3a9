import { parentPort } from 'node:worker_threads';
import { answerCountingJob, type CountingJob } from './counting-job.js';

// The entry of a counting thread: one answer per job, in order.
parentPort?.on('message', (job: CountingJob) => parentPort?.postMessage(answerCountingJob(job)));
