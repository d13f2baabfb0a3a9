import { MESSAGES, type ContextCode } from '@palimpsest/context-efficiency';
import { TerminalError } from '@palimpsest/kernel';

/** An event of a batch may not be recorded (contract §7): which one, and the contract's code; nothing of what it holds. */
export class RefusedTelemetryError extends TerminalError {
  constructor(contractCode: ContextCode, index: number) {
    super('context_refused', MESSAGES[contractCode], { details: { contractCode, index } });
  }
}
