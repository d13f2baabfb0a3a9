import { ServiceUnavailableError, ValidationError } from '@palimpsest/kernel';
import { logFailure } from './error-replies.js';

describe('what is logged of a request that failed', () => {
  const levels = (error: unknown): string[] => {
    const logged: string[] = [];
    const note = (level: string) => () => void logged.push(level);
    const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    logFailure(logger, error, {});
    return logged;
  };

  it.each([
    ['a caller that went away', Object.assign(new RangeError('x'), { code: 'ECONNRESET' }), 'info'],
    ['a database that is away', new ServiceUnavailableError('The database'), 'warn'],
    ['a fault', new TypeError('x'), 'error'],
    ['a refusal where none belongs', new ValidationError('x'), 'error'],
  ])('%s has its level', (_, error, level) => {
    expect(levels(error)).toEqual([level]);
  });
});
