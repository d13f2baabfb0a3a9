import { isModelError, type ModelError, type ModelRequest } from '../../ports/model.js';
import type { ModelHarness } from '../model-contract.js';
import { toWireError } from '../../errors/wire-error.js';
import { ANSWER_MARK, PROMPT_MARK } from './requests.js';

/** The error of a call that must fail, once it is sure that neither it nor a log tells what it must not. */
export async function refusalOf(harness: ModelHarness, request: ModelRequest): Promise<ModelError> {
  const error: unknown = await harness.model.ask(request).then(
    (answer) => answer.kind,
    (refusal: unknown) => refusal,
  );
  if (!isModelError(error)) throw new NoModelError(error);
  const told = [everythingOf(error), JSON.stringify(toWireError(error)), harness.logged()].join('\n');
  for (const secret of [harness.key, PROMPT_MARK, ANSWER_MARK]) expect(told).not.toContain(secret);
  return error;
}

/** Own and hidden properties, causes included, at any depth. */
function everythingOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null || seen.has(value)) return String(value);
  seen.add(value);
  return Reflect.ownKeys(value)
    .map((key) => `${String(key)}: ${everythingOf((value as Record<PropertyKey, unknown>)[key], seen)}`)
    .join('\n');
}

class NoModelError extends Error {
  constructor(got: unknown) {
    super(`Not an error of a model: ${got instanceof Error ? (got.stack ?? got.message) : String(got)}`);
  }
}
