import { readAllInOneConfig, readSummarizerConfig } from './app-configs.js';
import { summarizerModelOf } from './summarizer-config.js';

const model = {
  PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
  PALIMPSEST_MODEL_BASE_URL: 'http://127.0.0.1:11434/v1',
  PALIMPSEST_MODEL_NAME: 'small',
};
const worker = {
  NATS_URL: 'nats://127.0.0.1:4222',
  PALIMPSEST_ARTIFACT_STORE_URL: 'http://127.0.0.1:8090',
  PALIMPSEST_SERVICE_TOKEN: 'a-token-that-is-long-enough-for-a-secret',
};

describe.each([
  ['a worker', (more: object) => readSummarizerConfig({ ...worker, ...more })],
  ['all in one', (more: object) => readAllInOneConfig({ ...more })],
])('who writes the summaries of %s', (_, read) => {
  it('is nobody unless it is asked for, also where there is a model', () => {
    expect(summarizerModelOf(read({}))).toBeUndefined();
    expect(summarizerModelOf(read(model))).toBeUndefined();
    expect(read({}).summarizerInputTokens).toBe(24_000);
  });

  it('is the model where that is asked for', () => {
    const named = summarizerModelOf(read({ ...model, PALIMPSEST_SUMMARIZER: 'model' }));
    expect(named).toMatchObject({ provider: 'openai-compatible', model: 'small' });
  });

  it.each([
    [{ PALIMPSEST_SUMMARIZER: 'model' }, 'PALIMPSEST_MODEL_PROVIDER'],
    [{ PALIMPSEST_SUMMARIZER: 'model', PALIMPSEST_MODEL_PROVIDER: 'anthropic' }, 'PALIMPSEST_MODEL_API_KEY'],
    [{ PALIMPSEST_SUMMARIZER: 'llm' }, 'PALIMPSEST_SUMMARIZER'],
    [{ PALIMPSEST_SUMMARIZER_INPUT_TOKENS: '10' }, 'PALIMPSEST_SUMMARIZER_INPUT_TOKENS'],
  ])('is refused with %p', (variables, named) => {
    expect(() => read(variables)).toThrow(named);
  });
});
