import type { Candidate, RegistryApi, RolloutStage, RolloutView } from '../client/registry-api.js';
import { printableAnswer } from '../output/text.js';
import { UsageError } from '../program/cli-error.js';
import { isClientError } from '../program/server-failures.js';
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
  const { stage, percent } = options;
  if ((stage === 'canary') !== (percent !== undefined))
    throw new UsageError('--percent goes with --stage canary, and canary with it');
  const candidate = candidateOf(options);
  const { registry } = await session.api(options);
  const { rollout, isChanged } = await stageSet(registry, environment, changeOf(options, candidate));
  if (!isChanged) output.note('nothing to change: it is in this stage already');
  if (options.json) return output.json(rollout);
  const { family: name, version, ...at } = printableAnswer(rollout);
  output.line(`${name}  ${stageText(at)}  version ${version}`);
}

type Change = Parameters<RegistryApi['changeStage']>[1];

function changeOf(
  { family, stage, percent, expectedVersion }: SetStageOptions,
  candidate: Candidate | undefined,
): Change {
  return {
    family,
    stage,
    ...(percent !== undefined && { canaryPercent: percent }),
    ...(candidate && { candidate }),
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
}

async function stageSet(
  registry: RegistryApi,
  environment: string,
  change: Change,
): Promise<{ readonly rollout: RolloutView; readonly isChanged: boolean }> {
  try {
    return { rollout: await registry.changeStage(environment, change), isChanged: true };
  } catch (error) {
    const field = fieldRefused(error);
    if (field === 'candidate' && !change.candidate) throw new UsageError(NO_CANDIDATE, CANDIDATE_OPTIONS);
    if (field !== 'stage') throw error;
    const { rollout } = await registry.rolloutReport(environment, change.family);
    if (!isThere(rollout, change)) throw error;
    return { rollout, isChanged: false };
  }
}

const NO_CANDIDATE = 'a family that leaves "off" takes a candidate';
const CANDIDATE_OPTIONS = 'Add --candidate-version, --corpus-version and --runtime-digest.';

/** Of a refusal by the server; undefined where it names none. */
function fieldRefused(error: unknown): unknown {
  if (!(error instanceof Error) || !isClientError(error) || error.code !== 'validation_error')
    return undefined;
  return (error as { readonly details?: { readonly field?: unknown } }).details?.field;
}

/** All that was asked for is so: also the candidate, where one was named. */
function isThere(rollout: RolloutView, { stage, canaryPercent, candidate }: Change): boolean {
  if (rollout.stage !== stage || rollout.canaryPercent !== (canaryPercent ?? null)) return false;
  const { candidate: recorded } = rollout;
  return (
    candidate === undefined ||
    (recorded?.candidateVersion === candidate.candidateVersion &&
      recorded.corpusVersion === candidate.corpusVersion &&
      recorded.runtimeDigest === candidate.runtimeDigest)
  );
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
