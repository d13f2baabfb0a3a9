import type { Command } from 'commander';
import { addConnection } from '../program/connection-options.js';
import { perform } from '../program/perform.js';
import { UsageError } from '../program/cli-error.js';
import type { CommonOptions } from '../program/session.js';

type VerifyOptions = CommonOptions & {
  readonly offline?: string;
  readonly hostKey?: readonly string[];
  readonly artifacts?: string;
};

const HELP = `
Of a run on a server: its events are dense, of one hash chain, each after its cause; the
content that they name is as stored, or was erased; every window is derived again, byte
for byte; a replay is as its source. With --offline no server is asked: a certificate is
checked against the host's public key, which was had from the host beforehand.

Examples:
  palimpsest verify run_abc
  palimpsest verify --offline run_abc.ndjson --host-key .palimpsest/host-key.pub
  palimpsest verify --offline run_abc.ndjson --host-key old.pub --host-key new.pub --json

Exit codes: 0 all is as recorded; 1 something differs, or (offline) no --host-key was
given, so that nobody's signature was checked; 2 usage; 3 no answer.`;

export function addVerifyCommand(program: Command): void {
  const command = program
    .command('verify')
    .summary('check that a run is as it was recorded')
    .description('Check a run’s log, derive every window again and compare; a replay also with its source.')
    .argument('[run]', 'id of the run')
    .option('--offline <file>', 'check a certificate instead, without a server; "-" for standard input')
    .option('--host-key <file>', 'a public key of the host, PEM; may be given several times', several)
    .option('--artifacts <folder>', 'compare content too: files <artifact id>.json as the API answers them');
  addConnection(command)
    .addHelpText('after', HELP)
    .action((runId: string | undefined, options: VerifyOptions) => verify(runId, options));
}

const NO_SERVER = '--key is the API key of a server; a public key of the host is given as --host-key <file>.';

function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

async function verify(runId: string | undefined, options: VerifyOptions): Promise<void> {
  const { offline, hostKey, artifacts } = options;
  if ((offline === undefined) === (runId === undefined))
    throw new UsageError('verify takes a run, or --offline and a file');
  if (offline !== undefined) {
    const { url, key, credentials } = options;
    if (url ?? key ?? credentials) throw new UsageError('--offline asks no server', NO_SERVER);
    await perform(async () => (await import('./verify-offline.js')).verifyOffline, { ...options, offline });
    return;
  }
  if (hostKey ?? artifacts) throw new UsageError('--host-key and --artifacts go with --offline');
  await perform(async () => (await import('../runs/verify-run.js')).verifyRun, runId ?? '', options);
}
