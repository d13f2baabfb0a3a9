import type { ForkJob } from '../domain/fork-job.js';
import type { ReplayPorts } from '../replay-ports.js';
import { divergenceFinder, type FindDivergence } from './find-divergence.js';
import { outputDivergenceFinder, type FindOutputDivergences } from './find-output-divergences.js';

/** What a replay may find that its source did not record. */
export type Findings = { readonly refusal: FindDivergence; readonly outputs: FindOutputDivergences };

/** To be kept while the job is at work: each reads the source once, however many pages there are. */
export function findingsOf(ports: ReplayPorts, job: ForkJob): Findings {
  return { refusal: divergenceFinder(ports, job), outputs: outputDivergenceFinder(ports, job) };
}
