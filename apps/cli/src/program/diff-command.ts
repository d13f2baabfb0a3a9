import type { Command } from 'commander';
import type { DiffOptions } from '../runs/diff-runs.js';
import { addConnection } from './connection-options.js';
import { wholeNumber } from './option-kinds.js';
import { perform } from './perform.js';

const HELP = `
Shown are what the runs are to each other, the first event that differs in more than
ids and times, and the windows of both from there on, side by side: "same" fed the
same stored texts; a text said again in a branch counts as another. What one fed less is
summed over the windows that both have. Nothing is derived again, and no text is read.

Exit codes: 0 identical; 1 they differ; 3 no answer.

Examples:
  palimpsest diff run_branch run_source
  palimpsest diff run_a run_b --from 1 --limit 500
  palimpsest diff run_a run_b --json | jq .firstDivergence`;

export function addDiffCommand(program: Command): void {
  const command = program
    .command('diff')
    .summary('compare two runs')
    .description('Compare two runs: where they diverge, and what each window fed.')
    .argument('<run>', 'id of a run')
    .argument('<other>', 'id of the run to compare it with')
    .option(
      '--from <iteration>',
      'first window to list (default: the first after the divergence)',
      wholeNumber(1),
    )
    .option('--limit <n>', 'most windows to list (default: 20; with --json 500)', wholeNumber(1, 500));
  addConnection(command)
    .addHelpText('after', HELP)
    .action((runId: string, otherRunId: string, options: DiffOptions) =>
      perform(async () => (await import('../runs/diff-runs.js')).diffRuns, { runId, otherRunId }, options),
    );
}
