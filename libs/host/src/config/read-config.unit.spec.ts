import { z } from 'zod';
import { ConfigurationError } from './configuration-error.js';
import { readConfig, variable } from './read-config.js';
import { connectionUrl, secret, wholeNumber } from './variable-kinds.js';

const variables = {
  url: variable('DATABASE_URL', connectionUrl('postgres', 'postgresql'), 'The database.'),
  token: variable('PALIMPSEST_SERVICE_TOKEN', secret, 'What is shown.'),
  port: variable('PALIMPSEST_PORT', wholeNumber(0, 65535).default(8080), 'Where.'),
  level: variable('PALIMPSEST_LOG_LEVEL', z.enum(['info', 'debug', 'silent']).default('info'), 'How much.'),
};
const good = { DATABASE_URL: 'postgres://u:p4ss@db/x', PALIMPSEST_SERVICE_TOKEN: 'k'.repeat(32) };

function problems(environment: Record<string, string>): Record<string, string> {
  try {
    readConfig(variables, environment);
    return {};
  } catch (error) {
    const { problems: list } = error as ConfigurationError;
    return Object.fromEntries(list.map(({ variable: name, problem }) => [name, problem]));
  }
}

describe('a configuration', () => {
  it('is total and frozen', () => {
    const config = readConfig(variables, { ...good, PALIMPSEST_PORT: '0', PALIMPSEST_LOG_LEVEL: '' });
    expect(config).toEqual({ url: good.DATABASE_URL, token: 'k'.repeat(32), port: 0, level: 'info' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('names every variable that is missing or wrong, at once', () => {
    const wrong = { PALIMPSEST_PORT: '65536', PALIMPSEST_LOG_LEVEL: 'loud', PALIMPSEST_SERVICE_TOKEN: '' };
    expect(problems(wrong)).toEqual({
      DATABASE_URL: 'is required',
      PALIMPSEST_SERVICE_TOKEN: 'is required',
      PALIMPSEST_PORT: 'must lie between 0 and 65535',
      PALIMPSEST_LOG_LEVEL: 'must be info, debug or silent',
    });
  });

  it.each(['80.5', '1e3', '-1', ' 80', '0x50', '９'])('takes no number like %p', (text) => {
    expect(problems({ ...good, PALIMPSEST_PORT: text })).toHaveProperty('PALIMPSEST_PORT');
  });

  it.each([
    'changeme',
    'CHANGE_ME',
    'secret',
    'REPLACE_WITH_LONG_SECRET_OF_YOURS',
    '<your token>',
    'xxxxxxxx',
    'short',
  ])('takes no secret like %p, and does not repeat it', (text) => {
    const found = problems({ ...good, PALIMPSEST_SERVICE_TOKEN: text });
    expect(found).toHaveProperty('PALIMPSEST_SERVICE_TOKEN');
    expect(JSON.stringify(found)).not.toContain(text.length > 6 && text !== 'secret' ? text : '\u0000');
  });

  it.each(['http://db/x', 'db:5432', 'postgres://u:changeme@db/x', 'postgres://u:%3Cpassword%3E@db/x'])(
    'takes no database like %p',
    (text) => expect(problems({ ...good, DATABASE_URL: text })).toHaveProperty('DATABASE_URL'),
  );

  it('is refused by a rule over several settings', () => {
    const rule = () => [{ variable: 'A', problem: 'does not go with B' }];
    expect(() => readConfig(variables, good, [rule])).toThrow(ConfigurationError);
  });
});
