import { pino, type DestinationStream } from 'pino';
import type { Logger } from '@palimpsest/kernel';
import { describeError } from './describe-error.js';
import { prettyLines } from './pretty-lines.js';

export type LoggerOptions = {
  readonly service: string;
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Where lines go; default standard error, so that standard output stays a program's answer. */
  readonly destination?: DestinationStream;
  /** Lines for a person instead of JSON; default: where standard error is a terminal. */
  readonly pretty?: boolean;
};

/**
 * JSON lines, or lines for a person. Fields are ids and counts by rule; an error given as `err` is logged by
 * its name, code and frames, as the text of a foreign error may quote content.
 */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? process.stderr;
  const pretty = options.pretty ?? (options.destination === undefined && process.stderr.isTTY === true);
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: describeError },
      redact: {
        paths: ['authorization', '*.authorization', 'key', 'token', 'password'],
        censor: '[redacted]',
      },
    },
    pretty ? prettyLines(destination) : destination,
  );
}
