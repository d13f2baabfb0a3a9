import { refuse } from '../answers/context-refusal.js';
import { factOf, factsOf, isFacts, isUnset, NO_FACTS, type Facts } from '../json/facts.js';
import { leavesOf } from '../json/leaves.js';
import { isPrivateTelemetryKey, isPrivateTelemetryValue } from '../privacy/telemetry-marks.js';
import { canonicalEvent } from './canonical-event.js';
import { isEfficiencyEvent, unfitEventMember, type EfficiencyEvent } from './efficiency-event.js';

/** The event as it may be recorded (contract §7): nothing private, nothing billed that nobody vouches for. */
export function recordEvent(request: Facts): EfficiencyEvent {
  const event = factOf(request, 'event');
  if (isUnset(event)) return refuse('INVALID_REQUEST');
  refusePrivate(event);
  const facts = isFacts(event) ? event : NO_FACTS;
  requireAccountingSource(factsOf(facts, 'billed'));
  const canonical = canonicalEvent(facts);
  refusePrivate(canonical);
  return isEfficiencyEvent(canonical)
    ? canonical
    : refuse('EFFICIENCY_EVENT_INVALID', unfitEventMember(canonical));
}

/** Keys and texts at any depth (contract §7.3). */
function refusePrivate(value: unknown): void {
  for (const { kind, text } of leavesOf(value)) {
    const isPrivate = kind === 'key' ? isPrivateTelemetryKey(text) : isPrivateTelemetryValue(text);
    if (isPrivate) refuse('PRIVATE_TELEMETRY');
  }
}

const VALUES = [
  'uncached_input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
  'amount',
  'units',
];

/** §7.4: zero is a value, a currency alone is none. */
function requireAccountingSource(billed: Facts): void {
  const isBilled = VALUES.some((name) => !isUnset(factOf(billed, name)));
  const source = factOf(billed, 'accounting_source');
  if (isBilled && source !== 'authoritative' && source !== 'provider-reported') {
    refuse('ACCOUNTING_SOURCE_REQUIRED');
  }
}
