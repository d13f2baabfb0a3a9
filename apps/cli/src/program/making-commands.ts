import { Option, type Command } from 'commander';
import type { DemoOptions } from '../demo/run-demo.js';
import type { ImportOptions } from '../import/import-file.js';
import type { StartOptions } from '../start/run-start.js';
import { addConnection } from './connection-options.js';
import { COUNTERS, STRATEGIES, wholeNumber } from './option-kinds.js';
import { perform } from './perform.js';

const START_HELP = `
The first start makes a data folder with a database, and an API key, which is
printed this once and kept in <data folder>/credentials.json for the other
commands. Later starts go on with both. Certificates are signed with a key that is made
there, too: host-key.pub is for those who check them. Ctrl-C finishes what is at work,
then stops.
PALIMPSEST_* variables of a server count here too; DATABASE_URL names a Postgres of
yours.

Examples:
  palimpsest start
  palimpsest start --port 9000 --data-dir /var/lib/palimpsest`;

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .summary('run all services in this process')
    .description('Run all services in this process, on an embedded Postgres.')
    .option('--port <n>', 'port of the API (default: 8080; 0: any free one)', wholeNumber(0, 65_535))
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--data-dir <folder>', 'where data and key are kept (default: .palimpsest)')
    .addOption(
      new Option('--log-level <level>', 'log lines on standard error (default: warn)').choices([
        'debug',
        'info',
        'warn',
        'error',
        'silent',
      ]),
    )
    .option('--json', 'print URL and key as one JSON object')
    .addHelpText('after', START_HELP)
    .action((options: StartOptions) =>
      perform(async () => (await import('../start/run-start.js')).runStart, options),
    );
}

const DEMO_HELP = `
Imports an example session at a budget that bites, shows each window beside the
whole transcript, then replays the run and compares every window.

With --loop: a supervisor whose turns a model decides hands off to workers. The model
is the provider of PALIMPSEST_MODEL_PROVIDER, PALIMPSEST_MODEL_NAME, … where these are
set, else a bundled server that plays a part; the demo says which.

Exit codes: 0 no window broke its budget and nothing differs; 1 one did, or something
does; 2 usage; 3 the budget cannot hold what has to stay, or the services cannot start;
130 interrupted.`;

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .summary('see it work, in about a minute')
    .description('See it work: an example session on temporary servers, which are gone afterwards.')
    .option('--budget <tokens>', 'token budget of a window', wholeNumber(1), 4000)
    .option('--loop', 'show a loop whose turns a model decides')
    .option('--json', 'print the outcome as one JSON object')
    .addHelpText('after', DEMO_HELP)
    .action((options: DemoOptions) =>
      perform(async () => (await import('../demo/run-demo.js')).runDemo, options),
    );
}

const IMPORT_HELP = `
The file is a JSON array of OpenAI chat messages, an object {"messages": […]}, an
array of those, or JSON Lines: of messages (one conversation), or of
{"id": …, "messages": […]} (a conversation a line).

Each conversation becomes a run: it is appended turn by turn, and before each answer
of the assistant, and at the end, its window is taken, as a loop of yours would. Each is
checked against the budget, and its messages for what providers refuse. What is left
out of budget, counter and the rest is the server's default.

Examples:
  palimpsest import chat.json
  palimpsest import sessions.jsonl --budget 2400 --counter cl100k_base --keep-last 2
  my-agent --dump | palimpsest import - --json | jq -r '.runs[].runId'

Exit codes: 0 all imported, all legal; 1 a conversation was refused, or a window was
illegal or above its budget (the others are imported all the same); 2 usage, or no
chat messages in the file; 3 the server refused the settings or the key, or cannot be
reached.`;

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .summary('import transcripts, with a window for every answer')
    .description(
      'Import transcripts: a run for each conversation, a window for every answer of the assistant.',
    )
    .argument('<file>', 'transcripts as JSON or JSON Lines; "-" for standard input')
    .option('--budget <n>', 'token budget of a window', wholeNumber(1))
    .addOption(new Option('--counter <name>', 'unit of the budget').choices(COUNTERS))
    .option('--keep-last <n>', 'turns at the end that are never replaced', wholeNumber(0))
    .addOption(
      new Option('--strategy <name>', 'what becomes of older turns: summaries, or nothing').choices(
        STRATEGIES,
      ),
    )
    .option('--transcript-window <n>', 'most entries of a window', wholeNumber(1))
    .addOption(
      new Option('--window-every <step>', 'take a window before each answer, or before each message')
        .choices(['turn', 'message'])
        .default('turn'),
    )
    .option('--finish', 'complete each run after its last message');
  addConnection(command)
    .addHelpText('after', IMPORT_HELP)
    .action((file: string, options: ImportOptions) =>
      perform(async () => (await import('../import/import-file.js')).importFile, file, options),
    );
}
