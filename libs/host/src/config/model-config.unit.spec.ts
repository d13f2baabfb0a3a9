import type { ConfigurationError } from './configuration-error.js';
import { describeVariables } from './describe-variables.js';
import {
  askableModels,
  modelConfigOf,
  modelRule,
  modelVariables,
  wishRule,
  wishVariables,
} from './model-config.js';
import { readConfig } from './read-config.js';

const read = (environment: Record<string, string>) =>
  modelConfigOf(readConfig(modelVariables, environment, [modelRule]));

function refusalOf(environment: Record<string, string>): ConfigurationError {
  try {
    read(environment);
  } catch (error) {
    return error as ConfigurationError;
  }
  throw new TypeError('was taken');
}

const anthropic = {
  PALIMPSEST_MODEL_PROVIDER: 'anthropic',
  PALIMPSEST_MODEL_NAME: 'm-1',
  PALIMPSEST_MODEL_API_KEY: 'short-key',
};

describe('the model of a configuration', () => {
  it('is none where no provider is named', () => {
    expect(read({})).toBeUndefined();
    expect(read({ PALIMPSEST_MODEL_PROVIDER: '', PALIMPSEST_MODEL_TIMEOUT_MS: '5000' })).toBeUndefined();
  });

  it('is a server of one’s own, with or without a key', () => {
    const environment = {
      PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
      PALIMPSEST_MODEL_BASE_URL: 'http://127.0.0.1:11434/v1',
      PALIMPSEST_MODEL_NAME: 'llama3.3',
    };
    const config = {
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'llama3.3',
      timeoutMs: 120_000,
      maxAttempts: 4,
      reasoningTokens: 0,
    };
    expect(read(environment)).toEqual(config);
    expect(read({ ...environment, PALIMPSEST_MODEL_API_KEY: 'EMPTY' })).toEqual({
      ...config,
      apiKey: 'EMPTY',
    });
  });

  it('is one of Anthropic', () => {
    expect(
      read({
        ...anthropic,
        PALIMPSEST_MODEL_TIMEOUT_MS: '5000',
        PALIMPSEST_MODEL_MAX_ATTEMPTS: '2',
        PALIMPSEST_MODEL_REASONING_TOKENS: '4096',
      }),
    ).toEqual({
      provider: 'anthropic',
      apiKey: 'short-key',
      model: 'm-1',
      timeoutMs: 5000,
      maxAttempts: 2,
      reasoningTokens: 4096,
    });
  });

  it('names what is missing', () => {
    expect(refusalOf({ PALIMPSEST_MODEL_PROVIDER: 'anthropic' }).problems).toMatchObject([
      { variable: 'PALIMPSEST_MODEL_NAME' },
      { variable: 'PALIMPSEST_MODEL_API_KEY' },
    ]);
    expect(refusalOf({ PALIMPSEST_MODEL_PROVIDER: 'openai-compatible' }).problems).toMatchObject([
      { variable: 'PALIMPSEST_MODEL_NAME' },
      { variable: 'PALIMPSEST_MODEL_BASE_URL' },
    ]);
  });

  it.each([
    ['PALIMPSEST_MODEL_NAME', 'm-1'],
    ['PALIMPSEST_MODEL_BASE_URL', 'http://127.0.0.1:11434/v1'],
    ['PALIMPSEST_MODEL_API_KEY', 'short-key'],
  ])('is not left out in silence where %s is set and no provider is', (name, value) => {
    expect(refusalOf({ [name]: value }).problems).toEqual([
      { variable: 'PALIMPSEST_MODEL_PROVIDER', problem: `is required where ${name} is set` },
    ]);
  });

  it('says in words which providers there are', () => {
    expect(refusalOf({ PALIMPSEST_MODEL_PROVIDER: 'openai' }).problems).toEqual([
      { variable: 'PALIMPSEST_MODEL_PROVIDER', problem: 'must be openai-compatible or anthropic' },
    ]);
  });

  it.each(['changeme', '<key>', 'with space', 'umläut', 'line\nbreak'])(
    'takes no key like %j, and does not repeat it',
    (key) => {
      const refusal = refusalOf({ ...anthropic, PALIMPSEST_MODEL_API_KEY: key });
      expect(refusal.problems).toMatchObject([{ variable: 'PALIMPSEST_MODEL_API_KEY' }]);
      expect(refusal.message).not.toContain(key);
    },
  );

  it('says what its variables do, and that the key is secret', () => {
    for (const { name, description, values, secret } of describeVariables(modelVariables)) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
      expect([name, values]).toEqual([name, expect.stringMatching(/./)]);
      if (name === 'PALIMPSEST_MODEL_API_KEY') expect(secret).toBe('yes');
    }
  });
});

describe('the models that may be wished for', () => {
  const wishes = (environment: Record<string, string>) =>
    askableModels(readConfig(wishVariables, environment, [wishRule]));
  const PALIMPSEST_MODEL_NAME = 'm-1';

  it.each<[Record<string, string>, readonly string[] | undefined]>([
    [{}, undefined],
    [{ PALIMPSEST_MODEL_NAME }, ['m-1']],
    [{ PALIMPSEST_MODEL_NAME, PALIMPSEST_MODEL_ALLOWED: 'm-2, org/m:3' }, ['m-1', 'm-2', 'org/m:3']],
  ])('are those of %j', (environment, models) => {
    expect(wishes(environment)).toEqual(models);
  });

  it.each<[Record<string, string>, string]>([
    [{ PALIMPSEST_MODEL_ALLOWED: 'm-2' }, 'PALIMPSEST_MODEL_NAME'],
    [{ PALIMPSEST_MODEL_NAME, PALIMPSEST_MODEL_ALLOWED: 'm-2,,m-3' }, 'PALIMPSEST_MODEL_ALLOWED'],
    [{ PALIMPSEST_MODEL_NAME, PALIMPSEST_MODEL_ALLOWED: 'm'.repeat(257) }, 'PALIMPSEST_MODEL_ALLOWED'],
    [{ PALIMPSEST_MODEL_NAME, PALIMPSEST_MODEL_ALLOWED: 'm,'.repeat(100) + 'm' }, 'PALIMPSEST_MODEL_ALLOWED'],
  ])('are refused as %j', (environment, variable) => {
    expect(() => wishes(environment)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ variable })] }),
    );
  });
});
