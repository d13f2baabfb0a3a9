import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ForkOptions } from '../runs/fork-run.js';
import { settingFrom, type Setting } from '../runs/fork-overlay.js';
import { addConnection } from './connection-options.js';
import { COUNTERS, STRATEGIES, wholeNumber } from './option-kinds.js';
import { perform } from './perform.js';

const HELP = `
A branch may run on under other settings than its source: what is said here is laid
over those, checked as for a new run, and recorded as the branch's first own event.
What was replaced or dropped before the fork point stays so.

Examples:
  palimpsest fork run_abc --mode replay            then: palimpsest verify <the new run>
  palimpsest fork run_abc --mode branch --from 42  events 0 to 41 are shared
  palimpsest fork run_abc --mode branch --from 42 --budget 2000 --strategy recursive
  palimpsest fork run_abc --mode branch --from 42 --model small-1 --set temperature=0.2`;

export function addForkCommand(program: Command): void {
  const command = program
    .command('fork')
    .summary('replay a run, or branch off')
    .description('Start a run from another one’s log.')
    .argument('<run>', 'id of the source')
    .addOption(
      new Option('--mode <mode>', 'replay: repeat what was recorded; branch: go on from there')
        .choices(['replay', 'branch'])
        .makeOptionMandatory(),
    )
    .option(
      '--from <n>',
      'first event that is not shared with the source (replay: default 0)',
      wholeNumber(0),
    )
    .option('--budget <n>', 'branch: token budget of a window', wholeNumber(1))
    .addOption(new Option('--counter <name>', 'branch: unit of the budget').choices(COUNTERS))
    .option('--keep-last <n>', 'branch: turns at the end that are never replaced', wholeNumber(0))
    .addOption(new Option('--strategy <name>', 'branch: what becomes of older turns').choices(STRATEGIES))
    .option('--transcript-window <n>', 'branch: most entries of a window', wholeNumber(1))
    .option('--model <name>', 'branch: configurable.model')
    .option('--set <key=json>', 'branch: another key of configurable; may be repeated', settings, [])
    .option('--no-wait', 'do not wait until a long replay is complete');
  addConnection(command)
    .addHelpText('after', HELP)
    .action((runId: string, options: ForkOptions) =>
      perform(async () => (await import('../runs/fork-run.js')).forkRun, runId, options),
    );
}

function settings(text: string, before: readonly Setting[]): readonly Setting[] {
  const setting = settingFrom(text);
  if (!setting) throw new InvalidArgumentError('It takes key=json, such as temperature=0.2.');
  return [...before, setting];
}
