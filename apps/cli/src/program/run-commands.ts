import { Argument, Option, type Command } from 'commander';
import type { EraseOptions } from '../runs/erase-content.js';
import type { EventsOptions } from '../runs/show-events.js';
import type { ListOptions } from '../runs/list-runs.js';
import type { WindowOptions } from '../runs/show-window.js';
import { addConnection } from './connection-options.js';
import { STATUSES, wholeNumber } from './option-kinds.js';
import { perform } from './perform.js';
import type { CommonOptions } from './session.js';

const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;

export function addRunsCommand(program: Command): void {
  const command = program
    .command('runs')
    .summary('list runs')
    .description('List runs, newest first.')
    .option('--limit <n>', 'most runs to list', wholeNumber(1, 100_000), 20)
    .addOption(new Option('--status <status>', 'only runs in this status').choices(STATUSES));
  addConnection(command)
    .addHelpText(
      'after',
      examples('palimpsest runs --status completed', "palimpsest runs --json | jq -r '.runs[0].runId'"),
    )
    .action((options: ListOptions) =>
      perform(async () => (await import('../runs/list-runs.js')).listRuns, options),
    );
}

export function addWindowCommand(program: Command): void {
  const command = program
    .command('window')
    .summary('show what a model was sent')
    .description('Show a recorded window: what a model was sent at an iteration.')
    .argument('<run>', 'id of the run')
    .addArgument(
      new Argument('[iteration]', 'which window, from 1 (default: the last one)').argParser(wholeNumber(1)),
    )
    .option('--why', 'also show what became of every message, and why')
    .option('--full', 'show the texts whole')
    .addOption(
      new Option('--format <provider>', 'print the messages as a provider takes them').choices([
        'openai',
        'anthropic',
      ]),
    );
  addConnection(command)
    .addHelpText(
      'after',
      examples(
        'palimpsest window run_abc --why',
        'palimpsest window run_abc 12 --full',
        'palimpsest window run_abc 12 --format anthropic > request.json',
      ),
    )
    .action((runId: string, iteration: number | undefined, options: WindowOptions) =>
      perform(async () => (await import('../runs/show-window.js')).showWindow, { runId, iteration }, options),
    );
}

export function addUsageCommand(program: Command): void {
  const command = program
    .command('usage')
    .summary('compare tokens fed with the whole transcript')
    .description('Compare the tokens of a run’s windows with those of its whole transcript.')
    .argument('<run>', 'id of the run');
  addConnection(command)
    .addHelpText('after', examples('palimpsest usage run_abc', 'palimpsest usage run_abc --json | jq .total'))
    .action((runId: string, options: CommonOptions) =>
      perform(async () => (await import('../runs/show-usage.js')).showUsage, runId, options),
    );
}

export function addEventsCommand(program: Command): void {
  const command = program
    .command('events')
    .summary('show or follow the log of a run')
    .description(
      'Show the log of a run. Of transcripts events hold ids and counts, never texts; of workflows what the protocol asks for: inputs, outputs, decisions, errors (secrets redacted).',
    )
    .argument('<run>', 'id of the run')
    .option('-f, --follow', 'go on with events as they are recorded, until the run is over');
  addConnection(command)
    .addHelpText(
      'after',
      `\nWith --json an event is a line of its own.\n${examples(
        'palimpsest events run_abc --follow',
        'palimpsest events run_abc --json | jq -r .type | sort | uniq -c',
      )}`,
    )
    .action((runId: string, options: EventsOptions) =>
      perform(async () => (await import('../runs/show-events.js')).showEvents, runId, options),
    );
}

export function addFinishCommand(program: Command): void {
  const command = program
    .command('finish')
    .summary('complete a run')
    .description('Complete a run: it takes no more turns; it can be read, verified and forked.')
    .argument('<run>', 'id of the run');
  addConnection(command)
    .addHelpText('after', examples('palimpsest finish run_abc'))
    .action((runId: string, options: CommonOptions) =>
      perform(async () => (await import('../runs/finish-run.js')).finishRun, runId, options),
    );
}

export function addEraseCommand(program: Command): void {
  const command = program
    .command('erase')
    .summary('erase content; the log stays')
    .description(
      'Erase what no other run uses of a run’s content, or one artifact for every run, with all that stands for it.',
    )
    .argument('<run>', 'id of the run')
    .argument('[artifact]', 'id of the content, as the events of the run name it')
    .option('--yes', 'erase: it cannot be undone');
  addConnection(command)
    .addHelpText(
      'after',
      examples('palimpsest erase run_abc --yes', 'palimpsest erase run_abc art_def --yes --json'),
    )
    .action((runId: string, artifactId: string | undefined, options: EraseOptions) =>
      perform(
        async () => (await import('../runs/erase-content.js')).eraseContent,
        { runId, artifactId },
        options,
      ),
    );
}
