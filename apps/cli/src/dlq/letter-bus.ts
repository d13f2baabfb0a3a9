import { connectNatsBus } from '@palimpsest/adapter-nats';
import { withLocalBus } from '@palimpsest/app-all-in-one';
import { STREAMS, type StreamSpec } from '@palimpsest/contracts';
import { silentLogger, type MessageBus } from '@palimpsest/kernel';
import { databaseUrl, notMigrated } from '../database/database-url.js';
import type { Environment } from '../output/output.js';
import { CliError, EXIT, UsageError } from '../program/cli-error.js';
import { LETTER_STREAMS, type BusOptions, type DlqOptions } from './dlq-options.js';

const FIRST_CONNECT_MS = 5000;

const HINT = [
  'The bus of one process stands in its database. Start it: npx palimpsest start',
  'Or name it: --data-dir <folder>, --database-url <url> or DATABASE_URL;',
  'where services run apart, the NATS server: --nats-url <url> or NATS_URL.',
];

/** Does the work on the bus that options, environment or the data folder name. */
export async function withLetterBus<Result>(
  options: BusOptions,
  environment: Environment,
  work: (bus: MessageBus) => Promise<Result>,
): Promise<Result> {
  const natsUrl = natsUrlOf(options, environment);
  return natsUrl === undefined
    ? onDatabase(databaseUrl(options, { environment, hint: HINT }), work)
    : onNats(natsUrl, work);
}

/** The stream that is asked for, or all whose messages can die. */
export function streamsOf({ stream }: Pick<DlqOptions, 'stream'>): readonly StreamSpec[] {
  const all = LETTER_STREAMS.flatMap((name) => Object.values(STREAMS).filter((spec) => spec.name === name));
  return stream === undefined ? all : all.filter(({ name }) => name === stream);
}

/** An option wins over the environment, which names both in a deployment of services apart. */
function natsUrlOf(options: BusOptions, environment: Environment): string | undefined {
  const names = options.databaseUrl ?? options.dataDir;
  if (options.natsUrl !== undefined && names !== undefined)
    throw new UsageError('--nats-url excludes --database-url and --data-dir');
  const url = names === undefined ? (options.natsUrl ?? (environment['NATS_URL'] || undefined)) : undefined;
  if (url === undefined || /^(?:nats|tls|wss?):\/\//.test(url)) return url;
  // The URL is not repeated: it may hold a password.
  throw new UsageError('the NATS URL must start with nats://, tls://, ws:// or wss://');
}

async function onNats<Result>(url: string, work: (bus: MessageBus) => Promise<Result>): Promise<Result> {
  const bus = await connectNatsBus({
    url,
    name: 'palimpsest-dlq',
    logger: silentLogger,
    firstConnectMs: FIRST_CONNECT_MS,
  });
  try {
    if (!bus.isConnected()) throw new NoBusError();
    return await work(bus);
  } finally {
    await bus.close();
  }
}

async function onDatabase<Result>(url: string, work: (bus: MessageBus) => Promise<Result>): Promise<Result> {
  try {
    return await withLocalBus({ databaseUrl: url, name: 'palimpsest-dlq' }, work);
  } catch (error) {
    throw notMigrated(error) ?? error;
  }
}

class NoBusError extends CliError {
  constructor() {
    super('the NATS server does not answer', {
      code: 'unreachable',
      exitCode: EXIT.server,
      hint: 'Is --nats-url or NATS_URL right? Of a single process, name the database instead: --database-url or --data-dir.',
    });
  }
}

export class NoSuchLetterError extends CliError {
  constructor(id: string) {
    super(`there is no dead letter ${id}`, {
      code: 'not_found',
      exitCode: EXIT.server,
      hint: 'A letter is named by the id of its message: npx palimpsest dlq list',
    });
  }
}
