import { acceptsGzip } from './accepted-encoding.js';

describe('gzip is asked for', () => {
  it.each([
    'gzip',
    'GZIP',
    'x-gzip',
    'br, gzip',
    'gzip, deflate, br',
    'gzip;q=0.001',
    'gzip ; q=1.000',
    '*',
    'br;q=1, *;q=0.1',
    'identity;q=0.5, gzip;q=0.5',
    'identity;q=0, *',
  ])('by %p', (header) => expect(acceptsGzip(header)).toBe(true));

  it.each([
    undefined,
    '',
    'br',
    'identity',
    'gzip;q=0',
    'gzip;q=0.000',
    'gzip;q=0, *',
    '*;q=0',
    'gzip;q=0.5, identity;q=1',
    'gzip;q=2',
    'gzip;q=-1',
    'gzip;q=x',
    'gzipped',
  ])('not by %p', (header) => expect(acceptsGzip(header)).toBe(false));
});
