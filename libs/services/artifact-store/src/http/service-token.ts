import { createHash, timingSafeEqual } from 'node:crypto';
import { TerminalError, ValidationError } from '@palimpsest/kernel';

const LEAST_LENGTH = 16;

/** Compares digests, which are of one length, in constant time: a guess learns nothing from the answer's delay. */
export function serviceTokenCheck(serviceToken: string): (authorization: string | undefined) => void {
  if (serviceToken.length < LEAST_LENGTH)
    throw new ValidationError(`The service token must have at least ${LEAST_LENGTH} characters.`);
  const expected = digest(`Bearer ${serviceToken}`);
  return (authorization) => {
    if (!timingSafeEqual(digest(authorization ?? ''), expected))
      throw new TerminalError('unauthenticated', 'A valid service token is required.');
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
