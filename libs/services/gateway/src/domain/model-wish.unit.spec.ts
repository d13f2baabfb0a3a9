import { checkModelWish } from './model-wish.js';

const models = ['m-1', 'm-2'];

describe('a wish for a model', () => {
  it.each([
    [{ model: 'm-1' }, models],
    [{ model: 'm-2' }, models],
    [{}, models],
    [{ model: 'unknown' }, undefined],
    [{ model: 'mock-mini', mockProvider: { id: 'mock' } }, models],
  ])('may be %j of %j', (configurable, askable) => {
    expect(() => checkModelWish(configurable, askable)).not.toThrow();
  });

  it.each([{ model: 'm-3' }, { model: '' }, { model: 7 }, { model: null }])(
    'may not be %j',
    (configurable) => {
      expect(() => checkModelWish(configurable, models)).toThrow(
        expect.objectContaining({ code: 'validation_error', details: { field: 'configurable.model' } }),
      );
    },
  );
});
