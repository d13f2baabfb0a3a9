import { refuse } from '../answers/context-refusal.js';
import { factOf, isTrue, isUnset, requireFacts, type Facts } from '../json/facts.js';
import { isOneOf } from '../vocabulary/words.js';

export const RESULT_MODES = ['ephemeral', 'durable', 'artifact'] as const;
export type ResultMode = (typeof RESULT_MODES)[number];

export type ResultWrites = {
  readonly handoff: boolean;
  readonly artifact: boolean;
  readonly vault: boolean;
  readonly settings: boolean;
  readonly workgroup: boolean;
};

export type ResultPolicy = {
  readonly mode: ResultMode;
  readonly write_prohibited: boolean;
  readonly writes: ResultWrites;
};

const NO_WRITES: ResultWrites = {
  handoff: false,
  artifact: false,
  vault: false,
  settings: false,
  workgroup: false,
};

const HANDOFF_FACTS = ['material', 'writer', 'partial', 'resumable', 'crosses_phase'];

/** Where a result goes, and what may be written for it (contract §9). A prohibition complains about nothing. */
export function decideResult(input: unknown): ResultPolicy {
  const facts = requireFacts(input);
  const requested = requestedMode(facts);
  if (isTrue(facts, 'write_prohibited')) {
    return { mode: 'ephemeral', write_prohibited: true, writes: NO_WRITES };
  }
  const handoff = requested === 'durable' || HANDOFF_FACTS.some((name) => isTrue(facts, name));
  const mode = modeOf(isTrue(facts, 'large_raw_output') ? 'artifact' : requested, handoff);
  refuseDenied(facts, handoff, mode);
  return { mode, write_prohibited: false, writes: writesOf(facts, handoff, mode) };
}

function requestedMode(facts: Facts): ResultMode | null {
  const mode = factOf(facts, 'requested_mode');
  if (isUnset(mode)) return null;
  return isOneOf(RESULT_MODES, mode) ? mode : refuse('INVALID_REQUEST');
}

function modeOf(asked: ResultMode | null, handoff: boolean): ResultMode {
  if (asked === 'artifact') return 'artifact';
  return handoff ? 'durable' : 'ephemeral';
}

/** The denial of what is not needed is harmless. */
function refuseDenied(facts: Facts, handoff: boolean, mode: ResultMode): void {
  if (handoff && factOf(facts, 'authorize_handoff') === false) refuse('RESULT_HANDOFF_NOT_AUTHORIZED');
  if (mode === 'artifact' && factOf(facts, 'authorize_artifact') === false) {
    refuse('RESULT_ARTIFACT_NOT_AUTHORIZED');
  }
}

function writesOf(facts: Facts, handoff: boolean, mode: ResultMode): ResultWrites {
  return {
    handoff,
    artifact: mode === 'artifact',
    vault: isTrue(facts, 'authorize_vault_write'),
    settings: isTrue(facts, 'authorize_settings_write'),
    workgroup: isTrue(facts, 'authorize_workgroup_write'),
  };
}
