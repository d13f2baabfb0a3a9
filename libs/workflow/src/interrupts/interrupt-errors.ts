import { TerminalError, ValidationError } from '@palimpsest/kernel';

/** Refusals of host specification §3.5. */
export class InterruptNotFoundError extends TerminalError {
  constructor(nodeId: string) {
    super('interrupt_not_found', 'No interrupt of this node waits for an answer.', { details: { nodeId } });
  }
}

export class InterruptAlreadyResolvedError extends TerminalError {
  constructor(nodeId: string) {
    super('interrupt_already_resolved', 'The interrupt has been answered, or its time has run out.', {
      details: { nodeId },
    });
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
