import { Option, type Command } from 'commander';
import { addConnection } from '../program/connection-options.js';
import {
  candidateVersion,
  canaryPercent,
  registryName,
  ROLLOUT_STAGES,
  runtimeDigest,
  wholeNumber,
} from '../program/option-kinds.js';
import { perform } from '../program/perform.js';
import type { CommonOptions } from '../program/session.js';
import type { PromoteOptions } from './promote-family.js';
import type { ReportOptions } from './show-report.js';
import type { SetStageOptions } from './set-stage.js';

const ROLLOUT_HELP = `
A family is one kind of change to how work is handed on: lineage-reuse, capsules, … Its
name is yours; it is known once it has left "off". In an environment it goes off, observe,
shadow, canary 10, 25, 50 (percent), on. Up to shadow it is set, one rung at a time; each
rung from there takes a promotion: measured pairs, signed by a key that the server
trusts, that pass every gate. Down it is set at any time, to any rung.

Examples:
  palimpsest rollout show staging
  palimpsest rollout set staging --family capsules --stage observe \\
    --candidate-version 1.4.0 --corpus-version 2031-03 --runtime-digest sha256:…
  palimpsest rollout promote staging --family capsules --evidence measured.json
  palimpsest rollout report staging --family capsules

Exit codes: 0 done; 1 a promotion was refused by a gate; 2 usage; 3 no answer.`;

/** `palimpsest rollout …` */
export function addRolloutCommand(program: Command): void {
  const rollout = program
    .command('rollout')
    .summary('move a change through its stages, and see what it did')
    .description('Show, set and promote the stages of a change, and report what was measured and seen.')
    .addHelpText('after', ROLLOUT_HELP);
  addShow(rollout);
  addReport(rollout);
  addSet(rollout);
  addPromote(rollout);
}

const FAMILY = ['--family <name>', 'which kind of change (required)', registryName] as const;
const ENVIRONMENT = ['<environment>', 'such as production', registryName] as const;

function addShow(rollout: Command): void {
  const command = rollout
    .command('show')
    .description('Show in which stage each family of an environment is.')
    .argument(...ENVIRONMENT);
  addConnection(command).action((environment: string, options: CommonOptions) =>
    perform(async () => (await import('./show-rollouts.js')).showRollouts, environment, options),
  );
}

const REPORT_HELP = `
Gates are those of the last promotion that was asked for. What was seen are means of what
is known: billed cost, files read again, elapsed time; "unknown" where nothing is. Files
read again are those that a worker had to read although one before it had: what is lost
where context is not handed on. Tokens that were not sent are no money, and not shown.
Of a family that never left "off" the report says so: its name may be another.`;

function addReport(rollout: Command): void {
  const command = rollout
    .command('report')
    .description('Show each gate with its figure and its threshold, and what was seen of a family.')
    .argument(...ENVIRONMENT)
    .requiredOption(...FAMILY);
  addConnection(command)
    .addHelpText('after', REPORT_HELP)
    .action((environment: string, options: ReportOptions) =>
      perform(async () => (await import('./show-report.js')).showReport, environment, options),
    );
}

const SET_HELP = `
A family that leaves "off" names its candidate, which stands until it is off again:
  --candidate-version  your name of what is rolled out, such as a release
  --corpus-version     your name of the set of tasks that it is measured on
  --runtime-digest     SHA-256 of the runtime that it is measured with: of the file
                       that you deploy, such as by sha256sum
Promotions take only measurements whose envelope states the same three. A family that is
in the stage already stays as it is, with exit code 0.`;

function addSet(rollout: Command): void {
  const command = rollout
    .command('set')
    .description('Set the stage of a family: the next one up to shadow, or any below.')
    .argument(...ENVIRONMENT)
    .requiredOption(...FAMILY)
    .addOption(
      new Option('--stage <stage>', 'the stage (required)').choices(ROLLOUT_STAGES).makeOptionMandatory(),
    )
    .option('--percent <n>', 'of canary: 10, 25 or 50', canaryPercent)
    .option('--candidate-version <text>', 'version that is rolled out', candidateVersion)
    .option('--corpus-version <text>', 'corpus that it is measured on', candidateVersion)
    .option('--runtime-digest <digest>', 'sha256:… of its runtime', runtimeDigest)
    .option('--expected-version <n>', 'refuse where the family has changed since', wholeNumber(0));
  addConnection(command)
    .addHelpText('after', SET_HELP)
    .action((environment: string, options: SetStageOptions) =>
      perform(async () => (await import('./set-stage.js')).setStage, environment, options),
    );
}

const PROMOTE_HELP = `
The file is a JSON object { "pairs": […], "thresholds": {…}, "measurement_envelope": {…} },
or a request of "palimpsest context promotion", which has the envelope among its options.
What pairs and envelope hold, and how to sign them with node or openssl:
docs/context-efficiency.md, "Evidence for a promotion". Promotions begin at shadow. The
file is kept with the promotion, passed or not. An envelope counts once.

Exit codes: 0 promoted; 1 a gate did not pass; 2 usage; 3 no answer.`;

function addPromote(rollout: Command): void {
  const command = rollout
    .command('promote')
    .description('Promote a family to its next stage by measured evidence.')
    .argument(...ENVIRONMENT)
    .requiredOption(...FAMILY)
    .requiredOption('--evidence <file>', 'measured pairs as JSON; "-" for standard input (required)')
    .option('--expected-version <n>', 'refuse where the family has changed since', wholeNumber(0));
  addConnection(command)
    .addHelpText('after', PROMOTE_HELP)
    .action((environment: string, options: PromoteOptions) =>
      perform(async () => (await import('./promote-family.js')).promoteFamily, environment, options),
    );
}
