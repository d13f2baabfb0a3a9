import {
  ContextRefusal,
  holdsPrivateValue,
  ownedPaths,
  pathReader,
  textWorkspace,
} from '@palimpsest/context-efficiency';
import { ContextRefusedError, PrivateContentError } from '@palimpsest/kernel';
import { privateField } from './private-field.js';

/**
 * Looked for before a request is read in any other way: an error of another kind would name a key of the caller's. Where it
 * stands is said only as far as the names are the API's own.
 * @throws PrivateContentError
 */
export function refusePrivateContent(...values: readonly unknown[]): void {
  if (!holdsPrivateValue(values)) return;
  throw new PrivateContentError(values.map(privateField).find((field) => field !== undefined));
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

/**
 * Owned paths that cannot be owned are told to nobody: the registry would refuse them as well.
 * @throws ContextRefusedError
 */
export function requireOwnedPaths(request: unknown): void {
  if (typeof request !== 'object' || request === null || !('ownedFiles' in request)) return;
  const { ownedFiles } = request;
  decidedBy(() => ownedPaths({ owned_files: ownedFiles }, pathReader(undefined, textWorkspace)));
}
