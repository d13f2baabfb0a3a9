import { Option, type Command } from 'commander';
import type { DemoOptions } from '../demo/run-demo.js';
import type { ImportOptions } from '../import/import-file.js';
import type { StartOptions } from '../start/run-start.js';
import { addConnection } from './connection-options.js';
import { COUNTERS, STRATEGIES, wholeNumber } from './option-kinds.js';
import { perform } from './perform.js';

const START_HELP = `
The first start makes a data folder with a database, and an API key that is printed this once and kept in
<data folder>/credentials.json for the other commands. Later starts go on with both. Ctrl-C finishes what is at
work, then stops. Every PALIMPSEST_* variable of a server counts here too; DATABASE_URL names a Postgres of yours.

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
Imports an example session at a budget that bites, shows each window beside the whole transcript, then replays
the run and compares every window. Ends with 0 if no window broke its budget and nothing differs, else with 1.`;

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .summary('see it work, in about a minute')
    .description('See it work: an example session on temporary servers, which are gone afterwards.')
    .option('--budget <tokens>', 'token budget of a window', wholeNumber(1), 4000)
    .option('--json', 'print the outcome as one JSON object')
    .addHelpText('after', DEMO_HELP)
    .action((options: DemoOptions) =>
      perform(async () => (await import('../demo/run-demo.js')).runDemo, options),
    );
}

const IMPORT_HELP = `
Takes a JSON array of OpenAI chat messages, an object {"messages": […]}, an array of those, or JSON Lines of
either messages (one conversation) or {"id": …, "messages": […]} (a conversation a line). "-" reads standard
input. Each conversation becomes a run: turn by turn is appended, and before each answer of the assistant its
window is taken, as a loop of yours would. Each window is checked against its budget, and its messages for what
providers refuse. Left out, budget, counter and the rest are the server's defaults.

Examples:
  palimpsest import chat.json
  palimpsest import sessions.jsonl --budget 2400 --counter cl100k_base --keep-last 2
  my-agent --dump | palimpsest import - --budget 8000 --json | jq '.runs[].runId'

Exit codes: 0 all imported and all legal; 1 a conversation was refused, or a window was above its budget or
illegal (the others are imported all the same); 2 the file holds no chat messages; 3 no server.`;

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
