import type { LoggerService } from '@nestjs/common';
import type { Logger } from '@palimpsest/kernel';
import { describeError } from './describe-error.js';

/** Nest's own messages through our logger; its chatter about modules and routes is `debug`. */
export function nestLogger(logger: Logger): LoggerService {
  const fields = (rest: readonly unknown[]): object => {
    const context = rest.at(-1);
    return typeof context === 'string' && !context.includes('\n') ? { context } : {};
  };
  return {
    log: (message: unknown, ...rest: unknown[]) => logger.debug(fields(rest), textOf(message)),
    debug: (message: unknown, ...rest: unknown[]) => logger.debug(fields(rest), textOf(message)),
    verbose: (message: unknown, ...rest: unknown[]) => logger.debug(fields(rest), textOf(message)),
    warn: (message: unknown, ...rest: unknown[]) => logger.warn(fields(rest), textOf(message)),
    error: (message: unknown, ...rest: unknown[]) =>
      logger.error(
        { ...fields(rest), ...(message instanceof Error && { err: describeError(message) }) },
        message instanceof Error ? 'The framework reported an error' : textOf(message),
      ),
  };
}

function textOf(message: unknown): string {
  return typeof message === 'string' ? message : 'The framework reported an event';
}
