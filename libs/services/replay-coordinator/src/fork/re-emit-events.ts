import type { JsonObject } from '@palimpsest/contracts';
import { NotFoundError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { PAGE_WRITTEN } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
import type { Findings } from './findings.js';
import { placeOf, targetIn, type ForkPlace } from './fork-place.js';
import { reEmitPage } from './re-emit-page.js';
import { reEmitStretch } from './re-emit-stretch.js';
import { stateAt } from './state-at.js';

/**
 * Goes on re-emitting the source's events from where the fork's head stands, at most `pages` pages; true when
 * the target is reached, or where the replay ends before it, as it met a refusal that its source did not. Every page is
 * written at the head it was meant for: a killed coordinator's work is taken up where it stopped, and of two at work on
 * one fork each page has one winner. Recorded facts only: no model that is real and no summarizer is asked for anything.
 */
export async function reEmitEvents(
  ports: ReplayPorts,
  job: ForkJob,
  { pages, findings }: { readonly pages: number; readonly findings: Findings },
): Promise<boolean> {
  let place = await placeOf(ports, job);
  for (let page = 0; place.next <= targetIn(place, job); page += 1) {
    if (page === pages) return false;
    const stretch = place.kind === 'own-loop' ? await reEmitStretch(ports, job, place) : undefined;
    place = stretch ?? (await reEmitPage(ports, job, { ...(await withState(ports, job, place)), findings }));
    await ports.races.reach(PAGE_WRITTEN);
  }
  return true;
}

/** An own loop's state is not kept up with its stretches: where a page follows one, the source tells it. */
async function withState(ports: ReplayPorts, job: ForkJob, place: ForkPlace): Promise<ForkPlace> {
  if (place.kind !== 'own-loop') return place;
  const source = await ports.eventLog.header(job.tenantId, job.sourceRunId);
  if (!source) throw new NotFoundError('The source of a replay', { runId: job.sourceRunId });
  const state = (await stateAt(ports.eventLog, source, place.next)) as unknown as JsonObject;
  return { ...place, state: { ...state, replayTarget: targetIn(place, job) } };
}
