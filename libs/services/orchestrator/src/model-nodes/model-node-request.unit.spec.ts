import { CALL_PROMPT, STRUCTURED_OUTPUT } from '@palimpsest/workflow';
import { nodeRequestOf } from './model-node-request.js';

const schema = { type: 'object', required: ['valid'] };
const user = { role: 'user', content: 'Say it.' };

describe('what a node asks a model', () => {
  it('is an object by its schema, the instructions apart', () => {
    const inputs = {
      messages: [{ role: 'system', content: 'Be brief.' }, user, { role: 'assistant', content: 'It.' }],
    };
    const config = { provider: 'mock', model: 'm', outputSchema: schema, system: 'You answer.' };
    expect(nodeRequestOf({ typeId: STRUCTURED_OUTPUT, config, inputs })).toMatchObject({
      request: {
        system: 'You answer.\n\nBe brief.',
        messages: [
          { role: 'user', text: 'Say it.' },
          { role: 'assistant', text: 'It.' },
        ],
        answer: { kind: 'object', schema },
      },
    });
  });

  it.each([
    ['its input', { prompt: 'config' }, { prompt: 'Say it.' }],
    ['its configuration', { prompt: 'Say it.' }, {}],
    ['its input alone', { prompt: 'config', outputSchema: schema }, { prompt: 'Say it.' }],
    ['its messages', { prompt: 'config' }, { messages: [user] }],
    ['messages of its configuration', { messages: [user] }, {}],
  ])('is a text, by %s', (_what, config, inputs) => {
    expect(nodeRequestOf({ typeId: CALL_PROMPT, config, inputs })).toMatchObject({
      request: { messages: [{ role: 'user', text: 'Say it.' }], answer: { kind: 'text' } },
    });
  });

  it('is what the run wishes for before what the node says', () => {
    const config = { prompt: 'p', maxOutputTokens: 9, temperature: 1, timeoutMs: 5 };
    const asked = { typeId: CALL_PROMPT, config, inputs: {} };
    expect(nodeRequestOf(asked)).toMatchObject({
      request: { maxOutputTokens: 9, temperature: 1 },
      timeoutMs: 5,
    });
    expect(nodeRequestOf(asked, { temperature: 0, maxTokens: 7 })).toMatchObject({
      request: { maxOutputTokens: 7, temperature: 0 },
    });
  });

  it.each([
    [STRUCTURED_OUTPUT, { outputSchema: schema }, {}, 'inputs'],
    [STRUCTURED_OUTPUT, {}, { messages: [user] }, 'config.outputSchema'],
    [
      STRUCTURED_OUTPUT,
      { outputSchema: schema },
      { messages: [{ role: 'tool', content: '' }] },
      'inputs.messages.0.role',
    ],
    [CALL_PROMPT, {}, {}, 'inputs'],
    [CALL_PROMPT, {}, { messages: [{ role: 'system', content: 'alone' }] }, 'inputs'],
    [CALL_PROMPT, { prompt: 'p', temperature: -1 }, {}, 'config.temperature'],
  ])('is refused for %s with %j and %j, by place', (typeId, config, inputs, field) => {
    expect(nodeRequestOf({ typeId, config, inputs })).toMatchObject({
      error: { code: 'validation_error', details: { field } },
    });
  });
});
