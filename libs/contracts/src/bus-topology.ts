/** Durable streams. `work`: each message goes to one consumer and leaves on ack. `limits`: kept, each durable has its position. */
export const STREAMS = {
  runEvents: { name: 'RUN_EVENTS', kind: 'limits', subject: 'palimpsest.run-events.>' },
  summarize: { name: 'SUMMARIZE', kind: 'work', subject: 'palimpsest.work.summarize.>' },
  advance: { name: 'ADVANCE', kind: 'work', subject: 'palimpsest.work.advance.>' },
  deadLetters: { name: 'DEAD_LETTERS', kind: 'limits', subject: 'palimpsest.dead-letter.>' },
} as const;

export type StreamSpec = {
  readonly name: string;
  readonly kind: 'work' | 'limits';
  readonly subject: string;
};

export function runEventSubject(tenantId: string, runId: string): string {
  return `palimpsest.run-events.${tenantId}.${runId}`;
}

export function summarizeSubject(tenantId: string): string {
  return `palimpsest.work.summarize.${tenantId}`;
}

/** Jobs of the orchestrator, each an `advanceRunSchema`. */
export function advanceSubject(tenantId: string): string {
  return `palimpsest.work.advance.${tenantId}`;
}

export function deadLetterSubject(stream: string): string {
  return `palimpsest.dead-letter.${stream}`;
}

/** Ephemeral: a summary job of this id has an answer. */
export function summaryDoneSubject(tenantId: string, jobId: string): string {
  return `palimpsest.wake.summary.${tenantId}.${jobId}`;
}

/** Ephemeral: the run's log has grown. */
export function wakeRunSubject(tenantId: string, runId: string): string {
  return `palimpsest.wake.run.${tenantId}.${runId}`;
}
