import { factOf, type RolloutSelection, type RouteDecision } from '@palimpsest/context-efficiency';
import type { ContextMode, Delegate } from '@palimpsest/contracts/registry';
import { decisionTelemetry } from '../rollout/decision-telemetry.js';
import type { RolloutStanding } from '../rollout/rollout.js';
import type { DecidedTelemetry } from '../workgroup/decision.js';
import type { Standing } from './standing.js';
import { taskCorpusOf } from './task-corpus.js';

export type DecidedDelegation = {
  readonly delegationId: string;
  /** The database's, ISO 8601. */
  readonly recordedAt: string;
  readonly route: RouteDecision;
  readonly selection: RolloutSelection;
  readonly actualMode: ContextMode;
  readonly rollout: RolloutStanding;
};

/** The decision as efficiency events: what is done, and apart from it what is recommended, each where the stage records it. */
export function delegationTelemetry(
  command: Delegate,
  standing: Standing,
  { delegationId, recordedAt, route, selection, actualMode, rollout }: DecidedDelegation,
): readonly DecidedTelemetry[] {
  const actual = { mode: actualMode, reasonCodes: [] };
  const recommended = { mode: route.mode, reasonCodes: route.reason_codes };
  const about = {
    observed_at: recordedAt,
    task_corpus_id: taskCorpusOf(command),
    provider: providerOf(command, standing),
  };
  return decisionTelemetry(
    { selection, actual, recommended },
    { rollout, id: `delegation:${delegationId}`, about },
  );
}

const PLATFORMS: readonly unknown[] = ['claude', 'codex'];

function providerOf({ current = {} }: Delegate, { lineage }: Standing): unknown {
  const platform = lineage?.record.platform ?? factOf(current, 'platform');
  return PLATFORMS.includes(platform) ? platform : 'other';
}
