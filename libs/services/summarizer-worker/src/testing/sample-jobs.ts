import { STREAMS, summarizeSubject, type JsonObject, type SummaryJob } from '@palimpsest/contracts';
import type { ArtifactStore, MessageBus } from '@palimpsest/kernel';

const TENANT = 'acme';

/** So many jobs over messages of their own, which stand in the store; names begin with `name`. */
export async function sampleJobs(
  artifacts: ArtifactStore,
  name: string,
  count: number,
): Promise<readonly SummaryJob[]> {
  const jobs: SummaryJob[] = [];
  for (let index = 0; index < count; index += 1) {
    const jobId = `${name}-${index}`;
    const runId = `run-${jobId}`;
    const texts = [
      `The order is ORD-${index}-KX. ${'It has to be in Turku before the fair begins. '.repeat(8)}`,
      `Order ORD-${index}-KX weighs 3.25 kg. ${'By rail it takes two days, by road it takes one. '.repeat(8)}`,
    ];
    const ids = await artifacts.put(
      TENANT,
      runId,
      texts.map((text) => ({ type: 'message' as const, content: { role: 'user' as const, text } })),
    );
    jobs.push({
      jobId,
      tenantId: TENANT,
      runId,
      tokenCounter: 'o200k_base',
      maxTokens: 160,
      absorbed: [],
      messages: ids.map((artifactId, sequence) => ({ sequence, artifactId })),
    });
  }
  return jobs;
}

export async function publishJobs(bus: MessageBus, jobs: readonly SummaryJob[]): Promise<void> {
  for (const job of jobs) {
    const message = { id: job.jobId, subject: summarizeSubject(job.tenantId), body: job as JsonObject };
    await bus.publish(STREAMS.summarize, message);
  }
}
