/** What a refusal says (contract §1.1, §1.2): one fixed sentence per code, which holds nothing of the request. */
export const MESSAGES = {
  UNSUPPORTED_OPERATION: 'The operation is not supported.',
  REQUEST_TOO_LARGE: 'The request is larger than 1048576 bytes.',
  INVALID_REQUEST: 'The request is not valid for this operation.',
  INVALID_OWNERSHIP_PATH: 'An owned path or a list of them is malformed, or leaves the workspace.',
  WRITER_SCOPE_REQUIRED: 'A writer needs at least one owned path.',
  INVALID_DATE_TIME: 'The time of evaluation is not a strict date-time.',
  CAPSULE_SCHEMA_INVALID: 'The capsule does not fit its schema.',
  CAPSULE_PRIVATE_CONTENT: 'The capsule holds private content.',
  CAPSULE_STRING_TOO_LONG: 'A text of the capsule is longer than 4096 bytes.',
  CAPSULE_ARTIFACT_REF_INVALID: 'A file reference is not a safe path.',
  CAPSULE_ARTIFACT_REF_UNAUTHORIZED: 'A file reference lies outside of what is authorized.',
  CAPSULE_MANDATORY_OVERFLOW: 'The capsule does not fit, and nothing more may be moved out of it.',
  PRIVATE_TELEMETRY: 'The event holds private content.',
  ACCOUNTING_SOURCE_REQUIRED: 'Billed values need an accounting source that vouches for them.',
  EFFICIENCY_EVENT_INVALID: 'The event does not fit its schema.',
  ROLLOUT_RECOMMENDATION_REQUIRED: 'This stage needs a recommended mode.',
  RESULT_HANDOFF_NOT_AUTHORIZED: 'The result needs a handoff, which is not authorized.',
  RESULT_ARTIFACT_NOT_AUTHORIZED: 'The result needs an artifact, which is not authorized.',
  INVALID_SEVERITY: 'The severity is none of the known words.',
  VAULT_TARGET_REQUIRED: 'The change needs an identified target.',
  VAULT_TARGET_AMBIGUOUS: 'The change has more than one possible target.',
  DISPATCH_FACT_MISMATCH: 'Routing and lineage state a fact differently.',
} as const;

export type ContextCode = keyof typeof MESSAGES;
