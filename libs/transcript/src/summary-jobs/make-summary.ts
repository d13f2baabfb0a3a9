import type {
  MessageContent,
  SummaryContent,
  SummaryJob,
  SummaryResult,
  ToolCall,
} from '@palimpsest/contracts';
import {
  isErased,
  RetryableError,
  type ArtifactReading,
  type ArtifactStore,
  type CountTokens,
  type SummarizedMessage,
  type Summarizer,
  type SummaryMade,
} from '@palimpsest/kernel';
import { renderSummary } from '../rendering/summary.js';
import { textEnds } from '../rendering/text-ends.js';
import { maskSecrets } from '../summaries/redact.js';

export type SummaryMakerPorts = {
  readonly artifacts: ArtifactStore;
  readonly summarizer: Summarizer;
  readonly count: CountTokens;
};

/** A job's messages are stored before the job is given, so an absent one is a store that lags: worth another try. */
export class SummarySourceMissingError extends RetryableError {
  constructor(jobId: string, artifactId: string) {
    super('service_unavailable', 'A message to summarize is not readable yet.', {
      details: { jobId, artifactId },
    });
  }
}

type Readings = ReadonlyMap<string, ArtifactReading>;

/**
 * Does one summary job: reads, summarizes, checks, stores. The same job gives the same artifact. Refused where
 * nothing is worth keeping, or the summarizer's answer is empty, ill-formed or over its cap.
 */
export async function makeSummary(job: SummaryJob, ports: SummaryMakerPorts): Promise<SummaryResult> {
  const { jobId, tenantId } = job;
  const sources = sourceIds(job);
  const readings = await ports.artifacts.get(tenantId, sources);
  const missing = sources.find((id) => !readings.has(id));
  if (missing !== undefined) throw new SummarySourceMissingError(jobId, missing);
  const { summary, by, invocations } = await summarize(job, readings, ports.summarizer);
  const billed = invocations.length > 0 ? { invocations: [...invocations] } : {};
  if (!summary) return { outcome: 'refused', jobId, tenantId, reason: 'nothing worth keeping', ...billed };
  const tokens = ports.count(renderSummary(summary.text), job.tokenCounter);
  const fault = faultOf(summary, tokens, job);
  if (fault) return { outcome: 'refused', jobId, tenantId, reason: fault, ...billed };
  const [summaryRef = ''] = await ports.artifacts.put(tenantId, job.runId, [
    { type: 'context.summary', origin: jobId, content: summary, derivedFrom: readableIds(sources, readings) },
  ]);
  return { outcome: 'made', jobId, tenantId, summaryRef, tokens, by, ...billed };
}

function sourceIds({ messages, absorbed }: SummaryJob): string[] {
  return [...new Set([...messages.map(({ artifactId }) => artifactId), ...absorbed])];
}

/** What was erased before is not in the summary, and must not erase it. */
function readableIds(sources: readonly string[], readings: Readings): string[] {
  return sources.filter((id) => readable(readings, id) !== undefined);
}

function faultOf({ text }: SummaryContent, tokens: number, { maxTokens }: SummaryJob): string | undefined {
  if (text.trim() === '') return 'empty';
  if (!text.isWellFormed()) return 'ill-formed';
  return tokens > maxTokens ? 'over its cap' : undefined;
}

function summarize(job: SummaryJob, readings: Readings, summarizer: Summarizer): Promise<SummaryMade> {
  return summarizer.summarize({
    tokenCounter: job.tokenCounter,
    maxTokens: job.maxTokens,
    messages: messagesOf(job, readings),
    absorbed: job.absorbed
      .map((id) => readable<SummaryContent>(readings, id))
      .filter((summary) => summary !== undefined),
  });
}

/** Erased messages are left out. A result gets the name of its tool where its call is part of the job. */
function messagesOf(job: SummaryJob, readings: Readings): SummarizedMessage[] {
  const toolNames = new Map<string, string>();
  return job.messages.flatMap(({ sequence, artifactId }): SummarizedMessage[] => {
    const message = readable<MessageContent>(readings, artifactId);
    if (!message) return [];
    for (const call of message.toolCalls ?? []) toolNames.set(call.id, call.name);
    const toolName = message.toolCallId === undefined ? undefined : toolNames.get(message.toolCallId);
    return [
      {
        sequence,
        role: message.role,
        text: lookedAt(message.text),
        ...(message.toolCalls && { toolCalls: message.toolCalls.map(lookedAtCall) }),
        ...(toolName !== undefined && { toolName }),
      },
    ];
  });
}

/** Characters of one text that a summary is made from. What is longer is read at its ends. */
const LOOK_AT = 256 * 1024;

/** Secrets are found in the whole text: half a key is not known as one. */
function lookedAt(text: string): string {
  return text.length <= LOOK_AT ? text : textEnds(maskSecrets(text), LOOK_AT);
}

function lookedAtCall(call: ToolCall): ToolCall {
  return { ...call, arguments: lookedAt(call.arguments) };
}

function readable<Content>(readings: Readings, artifactId: string): Content | undefined {
  const reading = readings.get(artifactId);
  return !reading || isErased(reading) ? undefined : (reading.content as Content);
}
