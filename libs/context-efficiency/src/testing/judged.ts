import { answerOperation } from '../answers/answer.js';
import type { Surroundings } from '../answers/operations.js';
import { textWorkspace } from '../paths/workspace.js';

/** Noon of the day on which the cases take place. */
export const NOON = '2031-03-10T12:00:00Z';

export const SURROUNDINGS: Surroundings = {
  clock: Date.parse(NOON),
  workspace: textWorkspace,
  trustedKeys: undefined,
};

/** The result of an operation, or the code of its refusal. Both go through JSON, as they do outside. */
export function judged(
  operation: string,
  request: unknown,
  surroundings: Partial<Surroundings> = {},
): unknown {
  const read = JSON.parse(typeof request === 'string' ? request : JSON.stringify(request));
  const answer = answerOperation(operation, read, { ...SURROUNDINGS, ...surroundings });
  return answer.ok ? JSON.parse(JSON.stringify(answer.result)) : answer.code;
}
