import { TerminalError } from '@palimpsest/kernel';

/** An answer to a run that never asks anything, as its loop is the caller's. */
export class InterruptNotFoundError extends TerminalError {
  constructor(runId: string) {
    super('interrupt_not_found', 'No interrupt of this node waits for an answer.', { details: { runId } });
  }
}
