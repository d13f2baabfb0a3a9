import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addCertificateCommand } from '../certificate/certificate-command.js';
import { addVerifyCommand } from '../certificate/verify-command.js';
import { addContextCommand } from '../context/context-command.js';
import { addDlqCommand } from '../dlq/dlq-commands.js';
import { addKeysCommand } from '../keys/key-commands.js';
import { addPinCommand } from '../pins/pin-commands.js';
import { addRolloutCommand } from '../rollouts/rollout-commands.js';
import { addLineageCommand, addWorkgroupCommand } from '../workgroups/workgroup-commands.js';
import { addDiffCommand } from './diff-command.js';
import { addForkCommand } from './fork-command.js';
import { addDemoCommand, addImportCommand, addStartCommand } from './making-commands.js';
import {
  addEraseCommand,
  addEventsCommand,
  addFinishCommand,
  addRunsCommand,
  addUsageCommand,
  addWindowCommand,
} from './run-commands.js';

const AFTER_HELP = `
First steps:
  palimpsest demo                              all of it in a minute; leaves nothing behind
  palimpsest start                             run the services here; prints a key once
  palimpsest import chat.jsonl --budget 4000   a transcript, with a window for each answer
  palimpsest window <run> --why                what a model was sent, and why

The server is the one that "palimpsest start" noted in .palimpsest/credentials.json
of this folder or one above. PALIMPSEST_URL and PALIMPSEST_API_KEY, or --url and
--key, name another. NO_COLOR turns colours off.

In a clone "palimpsest" is "npx palimpsest".

Exit codes: 0 done, 1 negative verdict, 2 usage, 3 server refused or unreachable,
130 interrupted. "palimpsest <command> --help" shows examples.`;

/** The command line. What a command needs is loaded when it runs, so that help is quick. */
export function buildProgram(): Command {
  const program = new Command('palimpsest');
  program
    .description('Keeps an agent’s context affordable: budgeted windows, recorded summaries, exact replay.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .addHelpText('after', AFTER_HELP);
  for (const add of [
    addStartCommand,
    addDemoCommand,
    addImportCommand,
    addRunsCommand,
    addWindowCommand,
    addUsageCommand,
    addPinCommand,
    addEventsCommand,
    addForkCommand,
    addVerifyCommand,
    addCertificateCommand,
    addDiffCommand,
    addFinishCommand,
    addEraseCommand,
    addKeysCommand,
    addContextCommand,
    addRolloutCommand,
    addWorkgroupCommand,
    addLineageCommand,
    addDlqCommand,
  ]) {
    add(program);
  }
  return program;
}

function version(): string {
  const manifest = createRequire(import.meta.url)('../../package.json') as { version: string };
  return manifest.version;
}
