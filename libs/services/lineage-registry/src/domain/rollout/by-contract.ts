import { ContextRefusal } from '@palimpsest/context-efficiency';
import { ContextRefusedError } from '../context-refused.error.js';

/** Does what the contract decides; its refusal is one of ours, with the contract's code. */
export function byContract<Result>(decide: () => Result): Result {
  try {
    return decide();
  } catch (error) {
    throw error instanceof ContextRefusal ? new ContextRefusedError(error.code) : error;
  }
}
