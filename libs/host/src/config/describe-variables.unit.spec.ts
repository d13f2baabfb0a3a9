import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROCESS_VARIABLES } from './app-configs.js';
import { describeVariables } from './describe-variables.js';
import { variable } from './read-config.js';
import { connectionUrl, secret, wholeNumber } from './variable-kinds.js';

const APPS = join(import.meta.dirname, '../../../../apps');

describe('describeVariables', () => {
  it('says values, default, whether one has to be given, and whether it is secret', () => {
    const rows = describeVariables({
      one: variable('D_PORT', wholeNumber(0, 9).default(8), 'Where.'),
      two: variable('C_URL', connectionUrl('nats', 'tls'), 'What.'),
      three: variable('B_TOKEN', secret.optional(), 'Who.'),
      four: variable('A_LEVEL', z.enum(['high', 'low']).default('low'), 'How.'),
      five: variable(
        'E_LIST',
        z
          .string()
          .transform((text) => [text])
          .default([]),
        'Which.',
      ),
    });
    expect(rows).toEqual([
      {
        name: 'A_LEVEL',
        description: 'How.',
        values: '`high`, `low`',
        required: false,
        defaultText: 'low',
        secret: 'no',
      },
      {
        name: 'B_TOKEN',
        description: 'Who.',
        values: 'at least 32 characters',
        required: false,
        secret: 'yes',
      },
      {
        name: 'C_URL',
        description: 'What.',
        values: '`nats://…` or `tls://…`',
        required: true,
        secret: 'its password',
      },
      {
        name: 'D_PORT',
        description: 'Where.',
        values: 'whole number, 0 to 9',
        required: false,
        defaultText: '8',
        secret: 'no',
      },
      { name: 'E_LIST', description: 'Which.', values: '', required: false, defaultText: '', secret: 'no' },
    ]);
  });
});

describe('the variables of every process', () => {
  it('are known', () => {
    expect(Object.keys(PROCESS_VARIABLES).sort()).toEqual(readdirSync(APPS).sort());
  });

  it.each(Object.entries(PROCESS_VARIABLES))('of %s say what they do and what they take', (_, variables) => {
    for (const { name, description, values } of describeVariables(variables)) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
      expect([name, values]).toEqual([name, expect.stringMatching(/./)]);
    }
  });
});
