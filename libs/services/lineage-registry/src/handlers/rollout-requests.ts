import type { JsonValue } from '@palimpsest/contracts';
import {
  changeStageSchema,
  promoteSchema,
  REGISTRY_SUBJECTS,
  rolloutQuerySchema,
  rolloutReportQuerySchema,
  selectSchema,
  type Promotion,
  type Rollouts,
} from '@palimpsest/contracts/registry';
import type { ArtifactStore, IdSource } from '@palimpsest/kernel';
import { changeStage } from '../domain/rollout/change-stage.js';
import { measurementRunIdOf, promote } from '../domain/rollout/promote.js';
import { viewOf } from '../domain/rollout/rollout-view.js';
import { select } from '../domain/rollout/select.js';
import type { RolloutStore } from '../store/rollout-store.js';
import type { TelemetryStore } from '../store/telemetry-store.js';
import { parsePublic } from './parse-public.js';
import { readEvidence } from './read-evidence.js';
import type { RequestHandlers } from './request-handlers.js';
import { reportOf } from './rollout-report.js';

export type RolloutPorts = {
  readonly rollouts: RolloutStore;
  readonly telemetry: Pick<TelemetryStore, 'observed'>;
  readonly artifacts: Pick<ArtifactStore, 'get'>;
  readonly ids: Pick<IdSource, 'requestId'>;
  /** The text of `KNOWZCODE_TRUSTED_MEASUREMENT_KEYS` (contract §12.5); undefined: no envelope is trusted. */
  readonly trustedKeys: string | undefined;
};

/** Stages of rollouts: read, changed, selected in, promoted, reported. */
export function rolloutRequests(ports: RolloutPorts): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.readRollouts]: (body) => readRollouts(ports, body),
    [REGISTRY_SUBJECTS.changeStage]: async (body) => {
      const command = parsePublic(changeStageSchema, body);
      return ports.rollouts.decide(command, (rollouts, moment) => changeStage(rollouts, command, moment));
    },
    [REGISTRY_SUBJECTS.select]: async (body) => {
      const command = parsePublic(selectSchema, body);
      // Not of the command's id: another sender's event may stand under a name that can be guessed.
      const eventId = `selection:${ports.ids.requestId()}`;
      const selection = await ports.rollouts.select(command, (rollout, now) =>
        select(rollout, command, { now, eventId }),
      );
      return selection as JsonValue;
    },
    [REGISTRY_SUBJECTS.promote]: (body) => promoteFamily(ports, body),
    [REGISTRY_SUBJECTS.rolloutReport]: async (body) =>
      (await reportOf(ports, parsePublic(rolloutReportQuerySchema, body))) as JsonValue,
  };
}

async function readRollouts({ rollouts }: RolloutPorts, body: JsonValue): Promise<JsonValue> {
  const { tenantId, environment } = parsePublic(rolloutQuerySchema, body);
  const families = await rollouts.families(tenantId, environment);
  const answer: Rollouts = {
    environment,
    families: families.map(({ rollout, isActive }) => viewOf(rollout, isActive)),
  };
  return answer;
}

/** The evidence is read before the environment is locked; a command that was answered needs none. */
async function promoteFamily(ports: RolloutPorts, body: JsonValue): Promise<JsonValue> {
  const command = parsePublic(promoteSchema, body);
  const answered = await ports.rollouts.answered<Promotion>(command);
  if (answered) return answered as JsonValue;
  const evidence = await readEvidence(ports.artifacts, command.tenantId, command.evidenceArtifactId);
  const attempt = { ...command, evidence, trustedKeys: ports.trustedKeys };
  const change = { ...command, measurementRunId: measurementRunIdOf(evidence) };
  const promotion = await ports.rollouts.decide(change, (rollouts, moment) =>
    promote(rollouts, attempt, moment),
  );
  return promotion as JsonValue;
}
