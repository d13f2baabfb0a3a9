import type { Command } from 'commander';

/** Of every command that asks a server. */
export function addConnection(command: Command): Command {
  return command
    .option('--url <url>', 'the server (default: PALIMPSEST_URL, else the credentials file)')
    .option('--key <key>', 'the API key (default: PALIMPSEST_API_KEY, else the credentials file)')
    .option('--credentials <file>', 'a credentials file other than the nearest .palimpsest/credentials.json')
    .option('--json', 'print JSON for machines');
}
