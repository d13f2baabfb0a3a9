import type { JsonValue, OpenInterrupt } from '@palimpsest/contracts';
import { approvalAnswer, RATIFYING } from './approval-answer.js';
import { clarificationAnswers } from './clarification-answer.js';
import { checkExternalEvent } from './external-event.js';
import { invalidAnswer } from './interrupt-errors.js';
import { schemaProblemOf } from './json-schema.js';

/** An answer as it is recorded. @throws ValidationError, CorrelationMismatchError */
export function normalisedAnswer(nodeId: string, interrupt: OpenInterrupt, value: JsonValue): JsonValue {
  const { kind, data } = interrupt;
  switch (kind) {
    case 'approval':
      return approvalAnswer(data, value);
    case 'clarification':
      return clarificationAnswers(data, value);
    case 'external-event':
      checkExternalEvent(nodeId, data, value);
      return value;
    case 'low-confidence':
      return approvalAnswer({ actions: RATIFYING }, value);
    case 'custom':
      return fittingAnswer(interrupt, value);
    default:
      return kind satisfies never;
  }
}

function fittingAnswer({ resumeSchema }: OpenInterrupt, value: JsonValue): JsonValue {
  const problem = resumeSchema && schemaProblemOf(resumeSchema, value);
  if (problem) throw invalidAnswer('The answer does not fit the schema of its interrupt.', problem.path);
  return value;
}
