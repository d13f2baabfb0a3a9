import { overlayOf, settingFrom } from './fork-overlay.js';

describe('the settings of a branch on the command line', () => {
  it('are nothing where none is named', () => {
    expect(overlayOf({})).toBeUndefined();
    expect(overlayOf({ set: [] })).toBeUndefined();
  });

  it('are the members of configurable and its context', () => {
    const named = {
      budget: 900,
      counter: 'chars',
      keepLast: 0,
      strategy: 'none',
      transcriptWindow: 9,
    } as const;
    expect(overlayOf({ ...named, model: 'small-1', set: [['temperature', 0.2]] })).toEqual({
      configurable: {
        temperature: 0.2,
        model: 'small-1',
        context: {
          transcriptTokenBudget: 900,
          tokenCounter: 'chars',
          keepLastTurns: 0,
          strategy: 'none',
          transcriptWindow: 9,
        },
      },
    });
  });

  it.each([
    ['a=1', ['a', 1]],
    ['a="b=c"', ['a', 'b=c']],
    ['a={"b":[null]}', ['a', { b: [null] }]],
    ['a=b', undefined],
    ['a=', undefined],
    ['a', undefined],
    ['=1', undefined],
  ])('read %s', (text, setting) => {
    expect(settingFrom(text)).toEqual(setting);
  });
});
