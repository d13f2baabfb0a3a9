import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { memberOf } from '../values/scope.js';
import { invalidAnswer } from './interrupt-errors.js';
import { isJsonObject } from './json-object.js';

/** Words of older clients (host specification §3.5). */
const LEGACY_DECISIONS: Readonly<Record<string, string>> = {
  approved: 'accept',
  approve: 'accept',
  rejected: 'reject',
  reject: 'reject',
};

const RESOLVING = ['accept', 'reject', 'refine', 'edit-accept'] as const;
/** What is said to a decision that is held until somebody has ratified it. */
export const RATIFYING = ['accept', 'reject'];
export type ResolvingAction = (typeof RESOLVING)[number];

const SCOPES: readonly unknown[] = ['whole', 'section', 'items'];

/** Kept of an answer, beside its action. */
const REMARKS = ['comment', 'feedback', 'refineFeedback', 'editedArtifactData'] as const;

export type ApprovalAnswer = JsonObject & { readonly action: ResolvingAction };

/** Actions that end the wait. */
export function isResolvingAction(action: unknown): action is ResolvingAction {
  return (RESOLVING as readonly unknown[]).includes(action);
}

/** An answer as it is recorded. @throws ValidationError with `details.field` */
export function approvalAnswer(data: JsonObject, value: JsonValue): ApprovalAnswer {
  if (!isJsonObject(value)) throw invalidAnswer('An approval is answered with an object.');
  const action = actionOf(value);
  const offered = data['actions'];
  if (action === 'ask')
    throw invalidAnswer('"ask" does not answer an approval: it goes on waiting.', 'action');
  if (!isResolvingAction(action) || !Array.isArray(offered) || !offered.includes(action)) {
    throw invalidAnswer('The action must be one of those that the approval offers.', 'action');
  }
  checkRemarks(action, value);
  const remarks = REMARKS.flatMap((key) => {
    const remark = memberOf(value, key);
    return remark === undefined ? [] : [[key, remark] as const];
  });
  return { ...Object.fromEntries(remarks), action };
}

function actionOf(value: JsonObject): unknown {
  const action = memberOf(value, 'action');
  const decision = memberOf(value, 'decision');
  if (action !== undefined || typeof decision !== 'string') return action;
  return Object.hasOwn(LEGACY_DECISIONS, decision) ? LEGACY_DECISIONS[decision] : undefined;
}

function checkRemarks(action: ResolvingAction, value: JsonObject): void {
  const feedback = memberOf(value, 'refineFeedback');
  if (action === 'refine' && !(isJsonObject(feedback) && SCOPES.includes(memberOf(feedback, 'scope')))) {
    throw invalidAnswer('Refining needs feedback with a scope: whole, section or items.', 'refineFeedback');
  }
  if (action === 'edit-accept' && memberOf(value, 'editedArtifactData') === undefined) {
    throw invalidAnswer('Accepting an edit needs the edited data.', 'editedArtifactData');
  }
}

/** JSON Schema of answers, for a client to check its own with. */
export function approvalSchema(actions: readonly string[]): JsonObject {
  return {
    type: 'object',
    required: ['action'],
    properties: {
      action: { type: 'string', enum: actions.filter(isResolvingAction) },
      refineFeedback: {
        type: 'object',
        required: ['scope'],
        properties: { scope: { type: 'string', enum: [...(SCOPES as readonly string[])] } },
      },
    },
  };
}
