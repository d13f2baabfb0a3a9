import {
  ASSEMBLER_SUBJECTS,
  summaryJobSchema,
  type SummaryJob,
  type SummaryResult,
} from '@palimpsest/contracts';
import { ValidationError, type Delivery, type Logger, type MessageBus } from '@palimpsest/kernel';

export type SummaryJobPorts = {
  readonly bus: MessageBus;
  readonly logger: Logger;
  readonly makeSummary: (job: SummaryJob) => Promise<SummaryResult>;
};

/** Does one job and tells the assembler; returning acknowledges it. The same job twice gives the same artifact. */
export async function makeSummaryJob(delivery: Delivery, ports: SummaryJobPorts): Promise<void> {
  const parsed = summaryJobSchema.safeParse(delivery.body);
  if (!parsed.success) throw new ValidationError('This is no summary job.', { messageId: delivery.id });
  const job = parsed.data;
  const result = await ports.makeSummary(job);
  await ports.bus.request(ASSEMBLER_SUBJECTS.completeSummary, result);
  const { jobId, tenantId, runId, messages } = job;
  const fields = { jobId, tenantId, runId, messages: messages.length, outcome: result.outcome };
  ports.logger.info(fields, 'Summary job done');
}
