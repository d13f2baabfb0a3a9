import { recordEvent, type EfficiencyEvent, type Facts } from '@palimpsest/context-efficiency';

/** A canonical event; what is not given is unknown. */
export function efficiencyEvent(facts: Facts = {}): EfficiencyEvent {
  const base = { event: 'gate_outcome', observed_at: '2026-03-04T05:06:07Z', provider: 'claude' };
  return recordEvent({ event: { ...base, ...facts } });
}

/** As a selection records it. */
export function dispatchDecision(facts: Facts = {}): EfficiencyEvent {
  const decision = { event: 'dispatch_decision', mode: 'local', reason_codes: ['LOCAL_CHEAPER'] };
  return efficiencyEvent({ ...decision, ...facts });
}

/** All four counts, from a source that vouches. */
export function billedTokens(uncached: number, created: number, read: number, output: number): Facts {
  return {
    uncached_input_tokens: uncached,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: read,
    output_tokens: output,
    accounting_source: 'provider-reported',
  };
}
