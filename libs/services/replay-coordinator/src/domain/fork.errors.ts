import type { ErrorCode } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';

/** The fork point lies past what the source offers for this mode. */
export class InvalidFromSeqError extends TerminalError {
  constructor(sourceRunId: string, fromSeq: number, greatest: number) {
    super('invalid_from_seq', 'The fork point is past the log of the source.', {
      details: { sourceRunId, fromSeq, greatestFromSeq: greatest },
    });
  }
}

/** A recorded text that the fork would feed is erased, or a summary or cut rendering missing or altered. Asking again cannot help. */
export class ReplayContextSummaryUnavailableError extends TerminalError {
  constructor(sourceRunId: string, fromSeq: number) {
    super(
      'replay_context_summary_unavailable',
      'A recorded text that this fork would feed can no longer be read.',
      { details: { sourceRunId, fromSeq } },
    );
  }
}

/** The fork was given up before, for this reason: asking again cannot help. */
export class ForkFailedError extends TerminalError {
  constructor(code: ErrorCode, forkRunId: string) {
    super(code, 'The fork could not be made, and never can be.', { details: { runId: forkRunId } });
  }
}
