import {
  closedObject,
  listOf,
  nullOr,
  oneOf,
  unfitMember,
  type Check,
  type Shape,
} from '../schema/checks.js';
import { isDateTime } from '../vocabulary/date-time.js';
import { isCorpusId } from '../vocabulary/identifiers.js';
import { isOneOf, MODES, REASONS } from '../vocabulary/words.js';
import { factsOf, type Facts } from '../json/facts.js';

export const EVENT_SCHEMA = 'knowzcode.efficiency-event/v1';

/** The closed lists of an event's labels (contract §7.5); of models, those that have names. */
export const EVENT_WORDS = {
  event: [
    'dispatch_decision',
    'worker_usage',
    'worker_completed',
    'verification_run',
    'vault_operation',
    'budget_transition',
    'gate_outcome',
    'lineage_invalidated',
  ],
  provider: ['claude', 'codex', 'other'],
  runtime: ['cli', 'mcp', 'api', 'desktop', 'plugin', 'unknown'],
  model: ['unknown', 'opus', 'sonnet', 'haiku', 'fable', 'gpt-5', 'gpt-5.6-sol', 'gpt-5.6-terra'],
  profile: ['quality', 'balanced', 'economy', 'latency'],
  accounting_source: ['authoritative', 'provider-reported', 'estimated', 'unknown'],
} as const;

/** An event as it is recorded (contract §7.2): all keys, `null` for what is unknown. */
export type EfficiencyEvent = Facts & {
  readonly event: string;
  readonly observed_at: string;
  readonly logical: Facts;
  readonly billed: Facts;
  readonly outcome: Facts;
};

const amount: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const score: Check = (value) => amount(value) && (value as number) <= 100;

/** The sections, by their fields in the order in which they are written. */
export const LOGICAL: Shape = {
  estimated_context_occupancy: nullOr(amount),
  compaction_count: nullOr(count),
  repeated_file_reads: nullOr(count),
  prompt_bytes: nullOr(count),
  tool_output_bytes: nullOr(count),
  capsule_bytes: nullOr(count),
};

export const BILLED: Shape = {
  uncached_input_tokens: nullOr(count),
  cache_creation_input_tokens: nullOr(count),
  cache_read_input_tokens: nullOr(count),
  output_tokens: nullOr(count),
  amount: nullOr(amount),
  currency: nullOr((value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value)),
  units: nullOr(amount),
  accounting_source: oneOf(EVENT_WORDS.accounting_source),
};

export const OUTCOME: Shape = {
  accepted_workgroup: oneOf([true, false, null]),
  verify_passed: nullOr(count),
  verify_total: nullOr(count),
  audit_score: nullOr(score),
  rework_rounds: nullOr(count),
  escaped_high_critical: nullOr(count),
  elapsed_ms: nullOr(count),
};

const ANONYMOUS_MODEL = /^anon-model-[0-9a-f]{16,64}$/;
const model: Check = (value) =>
  isOneOf(EVENT_WORDS.model, value) || (typeof value === 'string' && ANONYMOUS_MODEL.test(value));

const SHAPE: Shape = {
  schema: oneOf([EVENT_SCHEMA]),
  event: oneOf(EVENT_WORDS.event),
  observed_at: isDateTime,
  task_corpus_id: nullOr(isCorpusId),
  provider: oneOf(EVENT_WORDS.provider),
  runtime: nullOr(oneOf(EVENT_WORDS.runtime)),
  model: nullOr(model),
  profile: nullOr(oneOf(EVENT_WORDS.profile)),
  mode: nullOr(oneOf(MODES)),
  reason_codes: listOf(Infinity, oneOf(REASONS)),
  logical: closedObject(LOGICAL),
  billed: closedObject(BILLED),
  outcome: closedObject(OUTCOME),
};
const fits = closedObject(SHAPE);

/** §7.5, cross-checks included. */
export function isEfficiencyEvent(event: Facts): event is EfficiencyEvent {
  return fits(event) && isDispatchComplete(event) && isVerificationPlausible(event['outcome'] as Facts);
}

const SECTIONS: Readonly<Record<string, Shape>> = { logical: LOGICAL, billed: BILLED, outcome: OUTCOME };

/** The first member of a canonical event that is not as it has to be, as a path of the contract's names: `billed.currency`. */
export function unfitEventMember(event: Facts): string | undefined {
  const name = unfitMember(SHAPE, event);
  const section = name === undefined ? undefined : SECTIONS[name];
  const member = section && unfitMember(section, factsOf(event, name ?? ''));
  return [name, member].filter((part) => part !== undefined).join('.') || unfitTogether(event);
}

function unfitTogether(event: Facts): string | undefined {
  if (!isDispatchComplete(event)) return event['mode'] === null ? 'mode' : 'reason_codes';
  return isVerificationPlausible(factsOf(event, 'outcome')) ? undefined : 'outcome.verify_passed';
}

function isDispatchComplete({ event, mode, reason_codes: reasons }: Facts): boolean {
  return event !== 'dispatch_decision' || (mode !== null && (reasons as readonly unknown[]).length > 0);
}

function isVerificationPlausible({ verify_passed: passed, verify_total: total }: Facts): boolean {
  return passed === null || total === null || (passed as number) <= (total as number);
}
