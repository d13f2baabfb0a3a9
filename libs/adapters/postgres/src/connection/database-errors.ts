import { ServiceUnavailableError } from '@palimpsest/kernel';

/** The network between us and the server. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
]);

/** SQLSTATE classes: connection exception, insufficient resources. */
const PASSING_CLASSES = new Set(['08', '53']);

/** SQLSTATEs after which the same statement may succeed. */
const PASSING_STATES = new Set([
  '25006', // read-only: a failover is under way
  '25P03', // idle in transaction for too long
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '57014', // cancelled: statement timeout
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // cannot connect now
  '57P05', // idle session timeout
]);

/** The driver gives these no code. */
const DRIVER_MESSAGES = [
  /^Connection terminated/,
  /^timeout expired$/,
  /^timeout exceeded when trying to connect$/,
  /^Query read timeout$/,
  /^Cannot use a pool after calling end on the pool$/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
];

/** True where the database could not be asked, or asks to come back later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // By shape: an error of the network may come from another realm.
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return DRIVER_MESSAGES.some((known) => known.test(String(message)));
  if (NETWORK_CODES.has(code)) return true;
  return code.length === 5 && (PASSING_CLASSES.has(code.slice(0, 2)) || PASSING_STATES.has(code));
}

/** Does the work; a database that cannot be asked is a `ServiceUnavailableError`. Wraps every adapter operation. */
export async function withDatabaseErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new ServiceUnavailableError('The database', { cause: error });
    throw error;
  }
}
