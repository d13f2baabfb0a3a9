import { ContextRefusal, holdsPrivateValue } from '@palimpsest/context-efficiency';
import { TerminalError } from '@palimpsest/kernel';

/** The contract's refusal, as an answer of this host. `index`: of the item of a batch that is refused. */
export class ContextRefusedError extends TerminalError {
  constructor({ code, message }: ContextRefusal, index?: number) {
    super('context_refused', message, {
      details: { contractCode: code, ...(index !== undefined && { index }) },
    });
  }
}

/** It says neither what is private nor where. */
export class PrivateContentError extends TerminalError {
  constructor() {
    super(
      'private_content',
      'The request holds a value that may not be kept: a credential, an address or a handle.',
    );
  }
}

/**
 * Looked for before a request is read in any other way: an error of another kind would name a key of the caller's.
 * @throws PrivateContentError
 */
export function refusePrivateContent(...values: readonly unknown[]): void {
  if (holdsPrivateValue(values)) throw new PrivateContentError();
}

/** An object without one of its members; anything else as it is. */
export function besides(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/**
 * What a decision of the contract comes to.
 * @throws ContextRefusedError where the contract refuses; any other error is a defect, and goes on as it is
 */
export function decidedBy<Decision>(decide: () => Decision, index?: number): Decision {
  try {
    return decide();
  } catch (error) {
    throw error instanceof ContextRefusal ? new ContextRefusedError(error, index) : error;
  }
}
