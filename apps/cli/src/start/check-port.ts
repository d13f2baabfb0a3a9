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
    throw new PortError(host, port, (error as NodeJS.ErrnoException).code ?? '');
  }
  await new Promise((resolve) => probe.close(resolve));
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'may not be used by you',
  EADDRNOTAVAIL: 'is not on this machine',
};

class PortError extends CliError {
  constructor(host: string, port: number, reason: string) {
    super(`port ${port} on ${host} ${REASONS[reason] ?? `cannot be used: ${reason}`}`, {
      code: 'port_unavailable',
      exitCode: EXIT.server,
      hint: 'Does another "palimpsest start" run? Stop it, or take another port: --port 8090 (0: any free one).',
    });
  }
}
