import { createServer } from 'node:net';
import { CliError, EXIT } from '../program/cli-error.js';

/** Says at once what would otherwise be known only when the database is up. 0 is any free port. */
export async function checkPort(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, host, resolve);
    });
  } catch (error) {
    throw problemOf(host, port, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
  await new Promise((resolve) => probe.close(resolve));
}

const PORT_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'may not be used by you',
};
const PORT_HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'Does another "palimpsest start" run? Stop it, or take another port: --port 8090 (0: any free one).',
  EACCES: 'Take a port from 1024 on: --port 8090 (0: any free one).',
};
/** What is wrong is the address, whatever the port. */
const HOST_REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'is no address of this machine',
  EAFNOSUPPORT: 'is of a kind that this machine does not have',
  EINVAL: 'is no address that can be listened on',
  ENOTFOUND: 'is no address, and no name that is known here',
  EAI_AGAIN: 'is no address, and no name that is known here',
};

/** By what is to be changed: the address or the port. */
function problemOf(host: string, port: number, reason: string): CliError {
  const ofHost = HOST_REASONS[reason];
  if (ofHost !== undefined) {
    return new CliError(`--host ${host} ${ofHost}`, {
      code: 'host_unavailable',
      exitCode: EXIT.server,
      hint: 'Leave --host (PALIMPSEST_HOST) out for 127.0.0.1, this machine only; 0.0.0.0 is every address of it.',
    });
  }
  return new CliError(`port ${port} on ${host} ${PORT_REASONS[reason] ?? `cannot be used: ${reason}`}`, {
    code: 'port_unavailable',
    exitCode: EXIT.server,
    hint: PORT_HINTS[reason] ?? 'Take another port or address: --port, --host.',
  });
}
