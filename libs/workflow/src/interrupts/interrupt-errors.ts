import { TerminalError, ValidationError } from '@palimpsest/kernel';

/** Refusals of host specification §3.5. */
export class InterruptNotFoundError extends TerminalError {
  /** `nodeId`: absent where the caller did not name it. */
  constructor(nodeId?: string) {
    super('interrupt_not_found', 'There is no such open interrupt.', detailsOf(nodeId));
  }
}

export class InterruptAlreadyResolvedError extends TerminalError {
  constructor(nodeId?: string) {
    const message = 'This interrupt takes no answer any more: it has one, or its time has run out.';
    super('interrupt_already_resolved', message, detailsOf(nodeId));
  }
}

export class InterruptCancelledError extends TerminalError {
  constructor(nodeId: string) {
    super('interrupt_cancelled', 'The run was cancelled: its interrupts take no answers.', {
      details: { nodeId },
    });
  }
}

/** The event is not the one that the node waits for; the node goes on waiting. */
export class CorrelationMismatchError extends TerminalError {
  constructor(nodeId: string, field: string) {
    super('correlation_mismatch', 'The event is not the one that is waited for.', {
      details: { nodeId, field },
    });
  }
}

/** `field` within the answer, empty for the whole of it. */
export function invalidAnswer(message: string, field = ''): ValidationError {
  return new ValidationError(message, { field: field === '' ? 'resumeValue' : `resumeValue.${field}` });
}

function detailsOf(nodeId: string | undefined): { readonly details?: { readonly nodeId: string } } {
  return nodeId === undefined ? {} : { details: { nodeId } };
}
