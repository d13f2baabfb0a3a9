import { MESSAGES, type ContextCode } from '@palimpsest/context-efficiency';
import { TerminalError } from '@palimpsest/kernel';

/** The contract refuses the decision; `details.contractCode` is its code (contract §1.2). */
export class ContextRefusedError extends TerminalError {
  constructor(readonly contractCode: ContextCode) {
    super('context_refused', MESSAGES[contractCode], { details: { contractCode } });
  }
}
