import { MESSAGES, type ContextCode } from '@palimpsest/context-efficiency';
import { TerminalError } from '@palimpsest/kernel';

/**
 * An event of a batch may not be recorded (contract §7): which one, the contract's code, and the member where it is known;
 * nothing of what it holds.
 */
export class RefusedTelemetryError extends TerminalError {
  constructor(contractCode: ContextCode, index: number, field?: string) {
    const details = { contractCode, index, ...(field !== undefined && { field }) };
    super('context_refused', MESSAGES[contractCode], { details });
  }
}
