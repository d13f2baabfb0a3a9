import { tokenExpiry, tokenParts } from './interrupt-token.js';

const at = (time: string): Date => new Date(`2026-02-03T${time}Z`);

describe('the end of a token', () => {
  it('lies 25 to 30 minutes ahead, the same for all that are made within five', () => {
    const requestedAt = at('03:00:00').toISOString();
    const ends = ['04:05:00', '04:07:31', '04:09:59.999', '04:10:00'].map((time) =>
      new Date(tokenExpiry({ now: at(time), requestedAt })).toISOString().slice(11, 19),
    );
    expect(ends).toEqual(['04:35:00', '04:35:00', '04:35:00', '04:40:00']);
  });

  it('is never later than that of the interrupt', () => {
    const requestedAt = at('04:04:00').toISOString();
    const life = { now: at('04:05:00'), requestedAt };
    expect(tokenExpiry({ ...life, timeoutMs: 120_000 })).toBe(at('04:06:00').getTime());
    expect(tokenExpiry({ ...life, timeoutMs: 0 })).toBe(at('04:35:00').getTime());
    expect(tokenExpiry({ ...life, timeoutMs: 24 * 3600_000 })).toBe(at('04:35:00').getTime());
  });
});

describe('a token', () => {
  const signature = 'b'.repeat(43);

  it('has two parts', () => {
    expect(tokenParts(`abc.${signature}`)).toEqual({ payload: 'abc', signature });
  });

  it.each([
    '',
    'abc',
    `abc${signature}`,
    `.${signature}`,
    'abc.def',
    `abc.${signature}b`,
    `a+c.${signature}`,
  ])('is not %j', (text) => expect(tokenParts(text)).toBeUndefined());
});
