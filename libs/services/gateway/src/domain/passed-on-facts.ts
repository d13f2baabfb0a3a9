import {
  holdsOnlyRecord,
  knownCurrent,
  knownRecord,
  knownResultPart,
  knownResultPolicy,
  knownRouting,
  type Facts,
} from '@palimpsest/context-efficiency';
import type {
  Delegate,
  InheritLineage,
  RecordResult,
  RegisterLineage,
  ResumeLineage,
} from '@palimpsest/contracts/registry';
import { ValidationError } from '@palimpsest/kernel';
import type { SentObject } from './sent-json.js';

/**
 * Requests as the registry is asked them. Beside the contract's own names a caller may put anything into open facts: content,
 * which goes over no bus. A record is closed, so what is none is refused here.
 */

export function passedOnDelegation<Body extends Pick<Delegate, 'current' | 'routing' | 'resultPolicy'>>(
  body: Body,
): Body {
  return {
    ...body,
    ...(body.current && { current: only(knownCurrent, body.current) }),
    ...(body.routing && { routing: only(knownRouting, body.routing) }),
    ...(body.resultPolicy && { resultPolicy: only(knownResultPart, body.resultPolicy) }),
  };
}

/** @throws ValidationError */
export function passedOnRegistration<Body extends Pick<RegisterLineage, 'record'>>(body: Body): Body {
  requireRecord(body.record);
  return body;
}

/** The caller's copy of the record is compared by the record's names, and refused by none. */
export function passedOnResume<Body extends Pick<ResumeLineage, 'current' | 'record'>>(body: Body): Body {
  return {
    ...body,
    current: only(knownCurrent, body.current),
    ...(body.record && { record: only(knownRecord, body.record) }),
  };
}

/** @throws ValidationError */
export function passedOnInheritance<Body extends Pick<InheritLineage, 'current' | 'record'>>(
  body: Body,
): Body {
  requireRecord(body.record);
  return { ...body, current: only(knownCurrent, body.current) };
}

export function passedOnResult<Body extends Pick<RecordResult, 'policy'>>(body: Body): Body {
  return { ...body, policy: only(knownResultPolicy, body.policy) };
}

/** The same refusal as the registry's; the name of an unknown field is the caller's, and not told. */
function requireRecord(record: Facts): void {
  if (holdsOnlyRecord(record)) return;
  const known = Object.entries(knownRecord(record));
  const [nested] = known.find(([name, value]) => !holdsOnlyRecord({ [name]: value })) ?? [];
  const field = nested === undefined ? 'record' : `record.${nested}`;
  throw new ValidationError(`The field ${field} does not fit.`, { field, rule: 'custom' });
}

function only(known: (facts: Facts) => Facts, facts: SentObject): SentObject {
  return known(facts) as SentObject;
}
