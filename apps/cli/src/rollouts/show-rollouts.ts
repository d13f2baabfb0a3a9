import type { RolloutView } from '../client/registry-api.js';
import { tableLines, type Column } from '../output/table.js';
import { moment, printableAnswer } from '../output/text.js';
import type { CommonOptions, Session } from '../program/session.js';
import { stageText } from './stage-text.js';

const COLUMNS: readonly Column[] = [
  { title: 'family' },
  { title: 'stage' },
  { title: 'active' },
  { title: 'since', dropFirst: 2 },
  { title: 'candidate', dropFirst: 1 },
  { title: 'version', right: true },
];

/** `palimpsest rollout show <environment>` */
export async function showRollouts(
  environment: string,
  options: CommonOptions,
  session: Session,
): Promise<void> {
  const { output } = session;
  const rollouts = await (await session.api(options)).registry.readRollouts(environment);
  if (options.json) return output.json(rollouts);
  if (rollouts.families.length === 0)
    return output.note(`Nothing has left "off" in ${environment}: npx palimpsest rollout set --help`);
  output.lines(tableLines(COLUMNS, printableAnswer(rollouts).families.map(rowOf), output.width));
}

function rowOf(rollout: RolloutView): string[] {
  const { family, active, since, candidate, version } = rollout;
  return [
    family,
    stageText(rollout),
    active ? 'yes' : 'no',
    since === null ? '' : moment(since),
    candidate?.candidateVersion ?? '',
    String(version),
  ];
}
