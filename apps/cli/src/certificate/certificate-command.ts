import type { Command } from 'commander';
import { addConnection } from '../program/connection-options.js';
import { perform } from '../program/perform.js';
import type { CertificateOptions } from './export-certificate.js';

const HELP = `
A certificate holds the events of a run with their hash chain (of a fork also what it
shares with its source), the SHA-256 of all content that they name, and a signature of
the host. Of transcripts it holds no texts. It is checked as it is written, and a file
is there only once it is whole.

Examples:
  palimpsest certificate run_abc --out run_abc.ndjson
  palimpsest verify --offline run_abc.ndjson --host-key host-key.pub

Exit codes: 0 done; 1 what came is not whole; 2 usage; 3 the server refused or broke off.`;

export function addCertificateCommand(program: Command): void {
  const command = program
    .command('certificate')
    .summary('export what proves a run without the server')
    .description('Export the certificate of a run: what proves it without the server.')
    .argument('<run>', 'id of the run')
    .option('--out <file>', 'where it is written (default: standard output)');
  addConnection(command)
    .addHelpText('after', HELP)
    .action((runId: string, options: CertificateOptions) =>
      perform(async () => (await import('./export-certificate.js')).exportCertificate, runId, options),
    );
}
