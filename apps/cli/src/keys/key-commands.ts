import { Option, type Command } from 'commander';
import { perform } from '../program/perform.js';
import type { CreateKeyOptions } from './create-key.js';
import type { KeyDatabaseOptions } from './key-database.js';
import { duration, isReserved, KEY_SCOPES, scopeList } from './key-options.js';
import type { ListKeysOptions } from './list-keys.js';
import type { RotateKeyOptions } from './rotate-key.js';

const KEYS_HELP = `
Keys are made where they are kept: in the database of DATABASE_URL or --database-url;
without either, in the one of the data folder where "palimpsest start" runs.

Examples:
  palimpsest keys create --name ci --scopes runs:create,runs:read --expires-in 90d
  palimpsest keys list
  palimpsest keys rotate AbCdEfGhIjKl --grace 1h
  palimpsest keys revoke AbCdEfGhIjKl

Exit codes: 0 done; 2 usage; 3 no such key, or no database.`;

/** `palimpsest keys …`: on the database itself, without a key. */
export function addKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .summary('make, list, rotate and revoke API keys')
    .description('Make, list, rotate and revoke API keys.')
    .addHelpText('after', KEYS_HELP);
  addCreate(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addDatabase(command: Command): Command {
  return command
    .option('--database-url <url>', 'the database (default: DATABASE_URL, else the data folder)')
    .option('--data-dir <folder>', 'data folder of "palimpsest start" (default: .palimpsest)')
    .option('--json', 'print JSON for machines');
}

const SCOPES_A_LINE = 4;

const CREATE_HELP = `
The key goes to standard output, this once; only its hash is kept. A tenant comes into
being with its first key and is live or for tests from then on: its keys never cross
over. Test keys begin with pal_test_.

Scopes, none of which implies another:
${linesOf(KEY_SCOPES.filter((scope) => !isReserved(scope)))}
Reserved, no endpoint asks for them yet:
${linesOf(KEY_SCOPES.filter(isReserved))}

Examples:
  palimpsest keys create --name ci --scopes runs:create,runs:read --expires-in 90d
  palimpsest keys create --tenant trials --name spec --scopes all --test --json`;

function addCreate(keys: Command): void {
  const command = keys
    .command('create')
    .description('Make a key; its text is printed once.')
    .option('--tenant <id>', 'whose runs it opens', 'default')
    .requiredOption('--name <text>', 'what it is for (required)')
    .requiredOption(
      '--scopes <list>',
      'what it may do: scopes separated by commas, or "all" (required)',
      scopeList,
    )
    .option('--expires-in <time>', 'how long it opens: 45s, 30m, 12h, 90d (default: for good)', duration(1))
    .option('--test', 'a key for tests, of a tenant for tests');
  addDatabase(command)
    .addHelpText('after', CREATE_HELP)
    .action((options: CreateKeyOptions) =>
      perform(async () => (await import('./create-key.js')).createKey, options),
    );
}

function addList(keys: Command): void {
  const command = keys
    .command('list')
    .description('List keys, never their secrets.')
    .option('--tenant <id>', 'of this tenant only');
  addDatabase(command).action((options: ListKeysOptions) =>
    perform(async () => (await import('./list-keys.js')).listKeys, options),
  );
}

const ROTATE_HELP = `
The new key has the tenant, name and scopes of the old one, which goes on for a while
so that its holders can change over. A key is rotated once.`;

function addRotate(keys: Command): void {
  const command = keys
    .command('rotate')
    .description('Make a new key in the place of an old one; its text is printed once.')
    .argument('<key-id>', 'the old key, as "palimpsest keys list" names it')
    .addOption(
      new Option('--grace <time>', 'how long the old key still opens; 0s: no longer')
        .argParser(duration(0))
        .default(86_400, '24h'),
    )
    .option(
      '--expires-in <time>',
      'how long the new key opens (default: as the old one was given)',
      duration(1),
    );
  addDatabase(command)
    .addHelpText('after', ROTATE_HELP)
    .action((keyId: string, options: RotateKeyOptions) =>
      perform(async () => (await import('./rotate-key.js')).rotateKey, keyId, options),
    );
}

function addRevoke(keys: Command): void {
  const command = keys
    .command('revoke')
    .description('End a key at once.')
    .argument('<key-id>', 'the key, as "palimpsest keys list" names it');
  addDatabase(command).action((keyId: string, options: KeyDatabaseOptions) =>
    perform(async () => (await import('./revoke-key.js')).revokeKey, keyId, options),
  );
}

function linesOf(scopes: readonly string[]): string {
  const starts = scopes.map((_, place) => place).filter((place) => place % SCOPES_A_LINE === 0);
  const rows = starts.map((start) => scopes.slice(start, start + SCOPES_A_LINE));
  return rows.map((row) => `  ${row.join(', ')}`).join(',\n');
}
