import { createHash } from 'node:crypto';
import {
  askedRequest,
  canonicalSemanticRequest,
  ValidationError,
  type AskedOfModel,
  type ModelName,
} from '@palimpsest/kernel';

/**
 * The cache key of a call (host specification §6.8). It says whether a call would be made the same way again; an answer is
 * found by its place in the run alone. Undefined where the request has no exact bytes: it may be made all the same.
 */
export function callKey(name: ModelName, asked: AskedOfModel): string | undefined {
  try {
    return createHash('sha256')
      .update(canonicalSemanticRequest(askedRequest(name, asked)))
      .digest('hex');
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
