import { modelContract } from '@palimpsest/kernel/testing';
import { openModelHarness } from './testing/index.js';

modelContract('OpenAI-compatible', () => openModelHarness({ provider: 'openai-compatible' }));
modelContract('Anthropic, objects by a tool', () => openModelHarness({ provider: 'anthropic' }));
modelContract('Anthropic, objects by a schema', () =>
  openModelHarness({ provider: 'anthropic', model: 'claude-sonnet-4-5' }),
);
