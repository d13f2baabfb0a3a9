import type { AllInOne } from '@palimpsest/app-all-in-one';
import { modelConfigOf, type AllInOneConfig } from '@palimpsest/host';
import { plural } from '../output/text.js';

/** What runs of workflows have at hand. */
export type Work = {
  /** As `provider:model`; null where none is asked. */
  readonly model: string | null;
  /** Those of the operator's folder that are in force. */
  readonly workflows: number;
};

export function workOf({ workflows }: Pick<AllInOne, 'workflows'>, config: AllInOneConfig): Work {
  const named = modelConfigOf(config);
  return { model: named ? `${named.provider}:${named.model}` : null, workflows };
}

export function workLines(
  { model, workflows }: Work,
  { workflowsDirectory }: Pick<AllInOneConfig, 'workflowsDirectory'>,
): readonly string[] {
  const folder =
    workflowsDirectory === undefined
      ? 'none of yours: PALIMPSEST_WORKFLOWS_DIR names their folder'
      : `${plural(workflows, 'workflow')} of ${workflowsDirectory} in force`;
  return [
    `  model       ${model ?? 'none is asked: PALIMPSEST_MODEL_PROVIDER names one, see docs/models.md'}`,
    `  workflows   ${folder}`,
  ];
}
