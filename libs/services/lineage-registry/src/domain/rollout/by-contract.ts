import { ContextRefusal } from '@palimpsest/context-efficiency';
import { ContextRefusedError } from '@palimpsest/kernel';

/** Does what the contract decides; its refusal is one of ours, with the contract's code. */
export function byContract<Result>(decide: () => Result): Result {
  try {
    return decide();
  } catch (error) {
    throw error instanceof ContextRefusal ? new ContextRefusedError(error) : error;
  }
}
