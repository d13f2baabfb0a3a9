import { BadRequestException, NotFoundException, PayloadTooLargeException } from '@nestjs/common';
import { z } from 'zod';
import { ServiceUnavailableError, TerminalError } from '@palimpsest/kernel';
import { envelopeOf, knownError } from './error-filter.js';

const secret = 'sk-hunter2';

describe('an error on its way out', () => {
  it.each([
    [new Error(secret), 'internal_error'],
    [secret, 'internal_error'],
    [undefined, 'internal_error'],
    [Object.assign(new Error(secret), { code: '23505' }), 'internal_error'],
    [Object.assign(new Error(secret), { code: 'ECONNREFUSED' }), 'service_unavailable'],
    [Object.assign(new Error(secret), { code: '57P01' }), 'service_unavailable'],
    [z.object({ a: z.string() }).safeParse({ a: 7 }).error, 'validation_error'],
    [new BadRequestException(secret), 'validation_error'],
    [new NotFoundException(secret), 'not_found'],
    [new PayloadTooLargeException(secret), 'payload_too_large'],
    [Object.assign(new Error(secret), { statusCode: 415 }), 'unsupported_media_type'],
    [new ServiceUnavailableError('The bus'), 'service_unavailable'],
  ])('has a code of ours, and says nothing it should not: %#', (thrown, code) => {
    const error = knownError(thrown);
    expect(error.code).toBe(code);
    expect(JSON.stringify(envelopeOf(error, 500, 'req_1'))).not.toContain(secret);
  });

  it('names its request where the host is to blame', () => {
    const error = new TerminalError('internal_error', 'It failed.');
    expect(envelopeOf(error, 500, 'req_1')).toEqual({
      error: 'internal_error',
      message: 'It failed.',
      details: { correlationId: 'req_1' },
    });
    expect(envelopeOf(new TerminalError('not_found', 'Gone.'), 404, 'req_1')).not.toHaveProperty('details');
  });
});
