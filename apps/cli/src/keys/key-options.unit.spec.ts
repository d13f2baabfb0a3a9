import { SCOPES } from '@palimpsest/gateway';
import { duration, KEY_SCOPES, scopeList } from './key-options.js';

describe('the options of keys', () => {
  it('know the scopes of the API', () => expect(KEY_SCOPES).toEqual(SCOPES));

  it.each([
    ['all', [...SCOPES]],
    ['runs:read', ['runs:read']],
    ['runs:read, runs:create,runs:read', ['runs:read', 'runs:create']],
  ])('take the scopes %p', (text, scopes) => expect(scopeList(text)).toEqual(scopes));
  it.each(['', 'runs:*', 'runs:read,', 'runs:read;runs:create', 'All'])('take no scopes like %p', (text) =>
    expect(() => scopeList(text)).toThrow('there is no scope'),
  );

  it.each([
    ['45s', 45],
    ['30m', 1800],
    ['12h', 43_200],
    ['90d', 7_776_000],
  ])('take the time %p', (text, seconds) => expect(duration(1)(text)).toBe(seconds));
  it.each(['', '90', '0d', '-1d', '1.5h', '1w', '1 d', '1e3s', '9999999999s'])(
    'take no time like %p',
    (text) => expect(() => duration(1)(text)).toThrow('90d'),
  );
  it('take no time at all where that means something', () => expect(duration(0)('0s')).toBe(0));
});
