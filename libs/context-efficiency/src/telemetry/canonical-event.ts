import { refuse } from '../answers/context-refusal.js';
import { factOf, factsOf, isUnset, type Facts } from '../json/facts.js';
import type { Shape } from '../schema/checks.js';
import { sortedReasons } from '../vocabulary/reasons.js';
import type { Reason } from '../vocabulary/words.js';
import { BILLED, EVENT_SCHEMA, LOGICAL, OUTCOME } from './efficiency-event.js';

/** §7.2: exactly the known keys; what is unset is null, never zero, and zero stays zero. Not yet checked. */
export function canonicalEvent(event: Facts): Facts {
  const known = (name: string): unknown => factOf(event, name) ?? null;
  return {
    schema: EVENT_SCHEMA,
    event: known('event'),
    observed_at: known('observed_at'),
    task_corpus_id: known('task_corpus_id'),
    provider: known('provider'),
    runtime: known('runtime'),
    model: known('model'),
    profile: known('profile'),
    mode: known('mode'),
    reason_codes: reasonsOf(factOf(event, 'reason_codes')),
    logical: section(factsOf(event, 'logical'), LOGICAL),
    billed: billedOf(factsOf(event, 'billed')),
    outcome: section(factsOf(event, 'outcome'), OUTCOME),
  };
}

function section(facts: Facts, shape: Shape): Facts {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, factOf(facts, name) ?? null]));
}

function billedOf(facts: Facts): Facts {
  return { ...section(facts, BILLED), accounting_source: factOf(facts, 'accounting_source') ?? 'unknown' };
}

/** A text counts as the list of its letters, none of which is a reason. */
function reasonsOf(value: unknown): readonly unknown[] {
  if (isUnset(value)) return [];
  if (typeof value === 'string') return Array.from(value);
  return Array.isArray(value) ? sortedReasons(value as Reason[]) : refuse('INVALID_REQUEST', 'reason_codes');
}
