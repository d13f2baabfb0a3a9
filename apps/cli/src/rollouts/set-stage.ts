import type { Candidate, RolloutStage } from '../client/registry-api.js';
import { UsageError } from '../program/cli-error.js';
import type { CommonOptions, Session } from '../program/session.js';
import { stageText } from './stage-text.js';

export type SetStageOptions = CommonOptions & {
  readonly family: string;
  readonly stage: RolloutStage;
  readonly percent?: number;
  readonly candidateVersion?: string;
  readonly corpusVersion?: string;
  readonly runtimeDigest?: string;
  readonly expectedVersion?: number;
};

/** `palimpsest rollout set <environment> --family <name> --stage <stage>` */
export async function setStage(
  environment: string,
  options: SetStageOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const { family, stage, percent, expectedVersion, json } = options;
  if ((stage === 'canary') !== (percent !== undefined))
    throw new UsageError('--percent goes with --stage canary, and canary with it');
  const candidate = candidateOf(options);
  const { registry } = await session.api(options);
  const rollout = await registry.changeStage(environment, {
    family,
    stage,
    ...(percent !== undefined && { canaryPercent: percent }),
    ...(candidate && { candidate }),
    ...(expectedVersion !== undefined && { expectedVersion }),
  });
  if (json) output.json(rollout);
  else output.line(`${rollout.family}  ${stageText(rollout)}  version ${rollout.version}`);
}

/** All of it, or nothing. */
function candidateOf(options: SetStageOptions): Candidate | undefined {
  const { candidateVersion, corpusVersion, runtimeDigest } = options;
  if (candidateVersion !== undefined && corpusVersion !== undefined && runtimeDigest !== undefined)
    return { candidateVersion, corpusVersion, runtimeDigest };
  if ([candidateVersion, corpusVersion, runtimeDigest].some((each) => each !== undefined))
    throw new UsageError('a candidate takes --candidate-version, --corpus-version and --runtime-digest');
  return undefined;
}
