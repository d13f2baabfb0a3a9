import { z } from 'zod';

/** Every body that is not 2xx (host specification §2.2): closed, flat. */
export const errorEnvelopeSchema = z.strictObject({
  error: z.string().min(1),
  message: z.string().min(1),
  details: z.record(z.string(), z.json()).optional(),
});

export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

/** Stable codes and the HTTP status each answers with (host specification §2.3, design of this host). */
export const ERROR_STATUS = {
  validation_error: 400,
  context_budget_infeasible: 400,
  unsupported_stream_mode: 400,
  unsupported_force_engine_version: 400,
  invalid_argument: 400,
  provider_usage_credential_leak: 400,
  unauthenticated: 401,
  key_expired: 401,
  key_revoked: 401,
  forbidden: 403,
  force_engine_version_forbidden: 403,
  mock_provider_forbidden: 403,
  not_found: 404,
  interrupt_not_found: 404,
  method_not_allowed: 405,
  sequence_conflict: 409,
  idempotency_key_mismatch: 409,
  idempotency_in_flight: 409,
  run_already_active: 409,
  run_not_active: 409,
  interrupt_already_resolved: 409,
  replay_context_summary_unavailable: 409,
  seat_taken: 409,
  stale_fence: 409,
  lineage_exists: 409,
  lineage_held: 409,
  lineage_evicted: 409,
  resume_refused: 409,
  inheritance_refused: 409,
  writer_scope_conflict: 409,
  inherited_writer_limit: 409,
  nesting_limit: 409,
  workgroup_full: 409,
  /** The coordinator approved the final gate, and advanced no phase since. */
  final_gate: 409,
  /** The unit is another one than was delegated; `details.fields` says in what. */
  delegation_mismatch: 409,
  version_conflict: 409,
  stage_not_next: 409,
  stage_not_active: 409,
  promotion_required: 409,
  intervention_in_progress: 409,
  /** As many families as may have left `off` in the environment. */
  environment_full: 409,
  artifact_erased: 410,
  interrupt_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  tool_result_without_call: 422,
  duplicate_tool_call_id: 422,
  unsupported_content: 422,
  invalid_from_seq: 422,
  interrupt_cancelled: 422,
  correlation_mismatch: 422,
  capability_required: 422,
  /** A decision of the context-efficiency contract was refused; `details.contractCode` says why. */
  context_refused: 422,
  private_content: 422,
  rate_limited: 429,
  internal_error: 500,
  /** A defect of this host: a replay was about to have an effect outside, and was stopped. */
  replay_effect_denied: 500,
  service_unavailable: 503,
  /** The run was started by a newer version than the one that is asked. */
  unsupported_engine_version: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;
