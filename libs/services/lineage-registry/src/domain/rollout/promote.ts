import { isRunId, promotionReport } from '@palimpsest/context-efficiency';
import type { JsonValue } from '@palimpsest/contracts';
import type { Promote, Promotion } from '@palimpsest/contracts/registry';
import { byContract } from './by-contract.js';
import { stageChanged, versionRefusal } from './change-stage.js';
import {
  familyOf,
  heightOf,
  HIGHEST_WITHOUT_PROMOTION,
  LADDER,
  rungOf,
  type EnvironmentRollouts,
  type FamilyRollout,
  type Rung,
} from './rollout.js';
import type { Figures, PromotionEvaluatedEvent, RolloutDecision, RolloutMoment } from './rollout-events.js';
import { StageNotActiveError, StageNotNextError } from './rollout-refusals.js';

export type PromotionAttempt = Pick<Promote, 'family' | 'evidenceArtifactId' | 'expectedVersion'> & {
  /** As the artifact has it: `{ pairs, thresholds?, measurement_envelope }`. */
  readonly evidence: JsonValue;
  /** The JSON text of trusted keys (contract §12.5), of the process's configuration. */
  readonly trustedKeys: string | undefined;
};

/**
 * A promotion to the next rung (contract §12): granted where every gate passes, at the database's time, against the candidate
 * on record. Where a gate fails the answer says so, and the evaluation is recorded all the same. Throws a refusal where no
 * promotion leads up from the family's stage, and `ContextRefusedError` for evidence that is malformed.
 */
export function promote(
  rollouts: EnvironmentRollouts,
  attempt: PromotionAttempt,
  moment: RolloutMoment,
): RolloutDecision<Promotion> {
  const rollout = familyOf(rollouts, attempt.family);
  const next = nextRung(rollout, attempt, moment);
  const evaluated = evaluation(rollout, next, { attempt, moment });
  const answer = answerOf(rollouts, evaluated, moment);
  const { promoted, measurementRunId } = evaluated.payload;
  if (!promoted || measurementRunId === null) return { events: [evaluated], answer };
  const { family, evidenceArtifactId } = attempt;
  return {
    events: [evaluated, stageChanged(rollout, next, { by: 'promotion' })],
    consumed: { measurementRunId, family, evidenceArtifactId },
    answer,
  };
}

/** The run id of the evidence's envelope; undefined where it has none that is well formed. */
export function measurementRunIdOf(evidence: JsonValue): string | undefined {
  const runId = ownOf(ownOf(evidence, 'measurement_envelope'), 'measurement_run_id');
  return typeof runId === 'string' && isRunId(runId) ? runId : undefined;
}

/** From `shadow` on; below it no promotion leads up. */
function nextRung(
  rollout: FamilyRollout,
  { expectedVersion }: PromotionAttempt,
  { isActive, isConsumed }: RolloutMoment,
): Rung {
  const height = heightOf(rollout);
  const next = height >= HIGHEST_WITHOUT_PROMOTION ? LADDER[height + 1] : undefined;
  const conflict = versionRefusal(rollout, expectedVersion);
  if (conflict) throw conflict;
  if (!next) throw new StageNotNextError(rollout);
  // Who comes second with a run hears that it is used up, not that the stage into which it led is new.
  if (!isActive && !isConsumed) throw new StageNotActiveError(rollout);
  return next;
}

function answerOf(
  { environment, sequence }: EnvironmentRollouts,
  { payload }: PromotionEvaluatedEvent,
  { now }: RolloutMoment,
): Promotion {
  const recordedAt = new Date(now).toISOString();
  return promotionOf(environment, { payload, sequence: sequence + 1, recordedAt });
}

/** An evaluation as it is answered. */
export function promotionOf(
  environment: string,
  recorded: Pick<PromotionEvaluatedEvent, 'payload'> & {
    readonly sequence: number;
    readonly recordedAt: string;
  },
): Promotion {
  const { family, promoted, from, to, gates } = recorded.payload;
  const { sequence, recordedAt: evaluatedAt } = recorded;
  return { environment, family, promoted, from, to, gates, sequence, evaluatedAt };
}

type Evaluated = { readonly attempt: PromotionAttempt; readonly moment: RolloutMoment };

function evaluation(
  rollout: FamilyRollout,
  next: Rung,
  { attempt, moment }: Evaluated,
): PromotionEvaluatedEvent {
  const { evidence, trustedKeys, evidenceArtifactId } = attempt;
  const { metrics, gates } = byContract(() =>
    promotionReport(requestOf(rollout, evidence, moment), { clock: moment.now, trustedKeys }),
  );
  return {
    type: 'palimpsest.rollout.promotion_evaluated',
    payload: {
      family: rollout.family,
      version: rollout.version,
      promoted: gates.every(({ passed }) => passed),
      from: rungOf(rollout),
      to: next,
      gates: gates.map(({ causes, ...gate }) => ({
        ...gate,
        figure: storable(gate.figure),
        ...(causes && { causes: [...causes] }),
      })),
      figures: storableFigures(metrics),
      candidate: rollout.candidate,
      measurementRunId: measurementRunIdOf(evidence) ?? null,
      evidenceArtifactId,
    },
  };
}

/** What the evidence brings, under options that are all ours: of its own it may bring none. */
function requestOf(rollout: FamilyRollout, evidence: JsonValue, { now, isConsumed }: RolloutMoment) {
  const runId = measurementRunIdOf(evidence);
  const thresholds = ownOf(evidence, 'thresholds');
  return {
    pairs: ownOf(evidence, 'pairs'),
    ...(thresholds !== undefined && { thresholds }),
    options: {
      measurement_envelope: ownOf(evidence, 'measurement_envelope'),
      now: new Date(now).toISOString(),
      consumed_measurement_run_ids: isConsumed && runId !== undefined ? [runId] : [],
      expected_candidate_version: rollout.candidate?.candidateVersion,
      expected_corpus_version: rollout.candidate?.corpusVersion,
      expected_runtime_digest: rollout.candidate?.runtimeDigest,
    },
  };
}

function ownOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
}

function storable(figure: number | null): number | null {
  return figure !== null && Number.isFinite(figure) ? figure : null;
}

function storableFigures(metrics: object): Figures {
  const entries = Object.entries(metrics as Figures);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? storable(value) : value]),
  );
}
