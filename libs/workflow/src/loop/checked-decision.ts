import {
  isStorableJson,
  orchestratorDecisionSchema,
  type JsonValue,
  type OrchestratorDecision,
  type RunError,
} from '@palimpsest/contracts';
import { jsonBytes } from '../engine/json-size.js';
import { runError } from '../engine/run-errors.js';

/** A decision stands in several events of one log, and in the state. */
const DECISION_BYTES = 16 * 1024;

type Proposed = { readonly agentId: string; readonly decision: unknown };

/** A decision that may be recorded (host specification §5.2); or why not, by place and without content. */
export function checkedDecision(
  { agentId, decision }: Proposed,
  decidingAgentId: string,
): { readonly decision: OrchestratorDecision } | { readonly error: RunError } {
  if (agentId !== decidingAgentId) return refused('Another agent decides in this run.', 'agentId');
  const parsed = orchestratorDecisionSchema.safeParse(decision);
  if (!parsed.success) {
    const path = ['decision', ...(parsed.error.issues[0]?.path ?? [])].map(String).join('.');
    return refused('The decision is none that the protocol knows.', path);
  }
  const value = parsed.data as JsonValue;
  if (!isStorableJson(value)) return refused('The decision holds text that cannot be stored.', 'decision');
  if (jsonBytes(value) <= DECISION_BYTES) return { decision: parsed.data };
  return refused(`A decision holds ${DECISION_BYTES} bytes of JSON at most.`, 'decision');
}

function refused(message: string, field: string): { readonly error: RunError } {
  return { error: runError('validation_error', message, { field }) };
}
