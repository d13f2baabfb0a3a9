import { createHash } from 'node:crypto';
import type { SummaryJob, TokenCounterName } from '@palimpsest/contracts';
import type { EffectPermit } from '@palimpsest/kernel';
import type { SummaryWanted } from '../domain/assembly-effects.js';
import { refsOf } from '../domain/summary-in-force.js';
import type { RunKey } from './window-describer.js';

export type SummaryRequest = RunKey &
  SummaryWanted & {
    readonly counter: TokenCounterName;
    /** A summary may be a model's: no replay has one made. */
    readonly permit: EffectPermit;
    /** The supervisor whose turn it is for, of an execution loop. */
    readonly nodeId?: string;
  };

/** The job of a request: no two of a tenant share an id unless they ask for the same. */
export function summaryJobOf({
  tenantId,
  runId,
  counter,
  rows,
  absorbed,
  maxTokens,
}: Omit<SummaryRequest, 'absorbed'> & { readonly absorbed: readonly string[] }): SummaryJob {
  const job = {
    tenantId,
    runId,
    tokenCounter: counter,
    maxTokens,
    absorbed: [...absorbed],
    messages: rows.map(({ sequence, artifactId }) => ({ sequence, artifactId })),
  };
  return { jobId: jobIdOf(job), ...job };
}

export function wholeJobOf(request: SummaryRequest): SummaryJob {
  return summaryJobOf({ ...request, absorbed: refsOf(request.absorbed) });
}

function jobIdOf({ runId, tokenCounter, maxTokens, absorbed, messages }: Omit<SummaryJob, 'jobId'>): string {
  const asked = [
    runId,
    tokenCounter,
    maxTokens,
    absorbed,
    messages.map(({ sequence, artifactId }) => [sequence, artifactId]),
  ];
  return `sum_${createHash('sha256').update(JSON.stringify(asked)).digest('base64url')}`;
}

/** True where a job stands for messages that are wanted, and absorbs what is in force. */
export function isPartOf(job: SummaryJob, { rows, absorbed }: SummaryRequest): boolean {
  const wanted = new Set(rows.map(({ sequence }) => sequence));
  const refs = refsOf(absorbed);
  return (
    job.absorbed.length === refs.length &&
    job.absorbed.every((ref, at) => ref === refs[at]) &&
    (job.messages.length > 0 || rows.length === 0) &&
    job.messages.every(({ sequence }) => wanted.has(sequence))
  );
}
