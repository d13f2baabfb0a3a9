import * as fc from 'fast-check';
import { withoutHandles } from './platform-handles.js';

describe('handles of platforms', () => {
  it.each<[unknown, unknown]>([
    [
      { platform_handle: 'a', b: 1 },
      { platform_handle: null, b: 1 },
    ],
    [{ platform_handle: { id: ['a'] } }, { platform_handle: null }],
    [{ platform_handle: null }, { platform_handle: null }],
    [[{ a: [{ platform_handle: 1 }] }], [{ a: [{ platform_handle: null }] }]],
    [
      { Platform_handle: 'a', handle: 'b' },
      { Platform_handle: 'a', handle: 'b' },
    ],
    ['platform_handle', 'platform_handle'],
    [null, null],
    [undefined, undefined],
  ])('become null: %j', (value, cleared) => expect(withoutHandles(value)).toEqual(cleared));

  it('leave what was given as it was', () => {
    const given = { record: { platform_handle: 'a' } };
    withoutHandles(given);
    expect(given).toEqual({ record: { platform_handle: 'a' } });
  });

  it('are all that changes', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(JSON.stringify(withoutHandles(value))).toBe(JSON.stringify(value));
      }),
      { numRuns: 100 },
    ));
});
