import { Argument, Option, type Command } from 'commander';
import { wholeNumber } from '../program/option-kinds.js';
import { perform } from '../program/perform.js';
import { LETTER_STREAMS, type DlqOptions, type SettleOptions } from './dlq-options.js';
import type { ListLettersOptions } from './list-letters.js';

const DLQ_HELP = `
A message dies when its consumer refuses it, or has failed with it too often. It is
kept with its ids and the code of what went wrong; content is never in a message.

It is looked for where the services meet: at the NATS server of --nats-url or NATS_URL;
else in the database of --database-url or DATABASE_URL; without any of them, in the one
of the data folder where "palimpsest start" runs.

Streams: SUMMARIZE (summaries to make), ADVANCE (runs of workflows to go on with),
RUN_EVENTS (events of runs, for those that follow them).

Examples:
  palimpsest dlq list
  palimpsest dlq show sum_4d1f --json
  palimpsest dlq retry --all --stream SUMMARIZE
  palimpsest dlq drop sum_4d1f

Exit codes: 0 done; 2 usage; 3 no such letter, or the bus cannot be reached.`;

/** `palimpsest dlq …`: on the bus itself, without a key. */
export function addDlqCommand(program: Command): void {
  const dlq = program
    .command('dlq')
    .summary('list, show, retry and drop dead letters')
    .description('List, show, retry and drop messages that no consumer could handle.')
    .addHelpText('after', DLQ_HELP);
  addList(dlq);
  addShow(dlq);
  addRetry(dlq);
  addDrop(dlq);
}

function addBus(command: Command): Command {
  return command
    .addOption(new Option('--stream <name>', 'of this stream only').choices(LETTER_STREAMS))
    .option('--nats-url <url>', 'the NATS server (default: NATS_URL)')
    .option('--database-url <url>', 'the database (default: DATABASE_URL, else the data folder)')
    .option('--data-dir <folder>', 'data folder of "palimpsest start" (default: .palimpsest)')
    .option('--json', 'print JSON for machines');
}

function addList(dlq: Command): void {
  const command = dlq
    .command('list')
    .description('List dead letters, newest last.')
    .option('--limit <n>', 'at most so many of each stream, the newest', wholeNumber(1, 10_000), 100);
  addBus(command).action((options: ListLettersOptions) =>
    perform(async () => (await import('./list-letters.js')).listLetters, options),
  );
}

function addShow(dlq: Command): void {
  const command = dlq
    .command('show')
    .description('Show the letters of one message, with its body.')
    .argument('<id>', 'the message, as "palimpsest dlq list" names it');
  addBus(command).action((id: string, options: DlqOptions) =>
    perform(async () => (await import('./show-letter.js')).showLetter, id, options),
  );
}

const messages = (): Argument => new Argument('[id...]', 'messages, as "palimpsest dlq list" names them');

const RETRY_HELP = `
A retried message comes under a new id and with all its attempts; its letter goes. Where
what it died of has not passed it dies again, and its new letter says so.`;

function addRetry(dlq: Command): void {
  const command = dlq
    .command('retry')
    .description('Send dead messages to their consumers again.')
    .addArgument(messages())
    .option('--all', 'every letter that is there now');
  addBus(command)
    .addHelpText('after', RETRY_HELP)
    .action((ids: readonly string[], options: SettleOptions) =>
      perform(async () => (await import('./settle-letters.js')).retryLetters, ids, options),
    );
}

function addDrop(dlq: Command): void {
  const command = dlq
    .command('drop')
    .description('Drop dead letters for good.')
    .addArgument(messages())
    .option('--all', 'every letter that is there now');
  addBus(command).action((ids: readonly string[], options: SettleOptions) =>
    perform(async () => (await import('./settle-letters.js')).dropLetters, ids, options),
  );
}
