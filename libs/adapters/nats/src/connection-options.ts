import type { NodeConnectionOptions } from '@nats-io/transport-node';

const FASTEST_RETRY_MS = 100;
const SLOWEST_RETRY_MS = 2000;

/** Doubles with each attempt, half of it random: a fleet that lost its server does not come back at once. */
export function retryDelayMs(attempt: number): number {
  const ceiling = Math.min(FASTEST_RETRY_MS * 2 ** Math.max(0, attempt - 1), SLOWEST_RETRY_MS);
  return Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
}

/**
 * `url` may list several servers, separated by commas. User, password or token stand in the first one;
 * `tls://` asks for an encrypted connection.
 */
export function serverOptions(url: string): NodeConnectionOptions {
  const servers = url
    .split(',')
    .map((server) => new URL(server.includes('://') ? server : `nats://${server}`));
  const { username, password, protocol } = servers[0] ?? new URL('nats://127.0.0.1');
  return {
    servers: servers.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...credentials(decodeURIComponent(username), decodeURIComponent(password)),
    ...(protocol === 'tls:' && { tls: {} }),
  };
}

function credentials(user: string, pass: string): NodeConnectionOptions {
  if (!user) return {};
  return pass ? { user, pass } : { token: user };
}
