import type { RecordedPaths } from '../paths/owned-paths.js';
import { textWorkspace } from '../paths/workspace.js';
import { decideRoute } from '../route/decide-route.js';
import { NOON } from '../testing/judged.js';
import { CURRENT, LINEAGE } from '../testing/lineages.js';
import { decideDispatch } from './decide-dispatch.js';

const NOTHING = { active: [], own: [] };

describe('paths on record', () => {
  const route = (input: object, recorded: Partial<RecordedPaths>) =>
    decideRoute(input, { workspace: textWorkspace, recorded: { ...NOTHING, ...recorded } }).reason_codes[0];

  it.each([
    ['one that is equal', 'src/a', 'WRITER_OWNERSHIP_CONFLICT'],
    ['one above', 'src', 'WRITER_OWNERSHIP_CONFLICT'],
    ['the root', '', 'WRITER_OWNERSHIP_CONFLICT'],
    ['one beside', 'src/ab', 'INDEPENDENT_CAPSULE'],
    ['one that cannot be read', 'a:b', 'INDEPENDENT_CAPSULE'],
  ])('of an active writer count: %s', (_, path, expected) =>
    expect(route({ owned_files: ['src/a'] }, { active: [path] })).toBe(expected),
  );

  it('of active writers count instead of the facts, which are not looked at', () => {
    expect(route({ owned_files: ['a'], active_writers: [{ owned_files: ['a'] }] }, {})).toBe(
      'INDEPENDENT_CAPSULE',
    );
    expect(route({ owned_files: ['a'], active_writers: 'bad' }, {})).toBe('INDEPENDENT_CAPSULE');
  });

  it('of active writers do not concern a reader', () =>
    expect(route({ role: 'indexer' }, { active: ['src'] })).toBe('INDEPENDENT_CAPSULE'));

  it('of the unit make it a writer, and are enough for one', () => {
    expect(route({ role: 'indexer' }, { active: ['a:b'], own: ['a:b/c'] })).toBe('WRITER_OWNERSHIP_CONFLICT');
    expect(route({ role: 'builder' }, { own: ['a'] })).toBe('INDEPENDENT_CAPSULE');
    expect(() => route({ role: 'builder' }, {})).toThrow(
      expect.objectContaining({ code: 'WRITER_SCOPE_REQUIRED' }),
    );
  });
});

describe('a lineage that is held', () => {
  const dispatch = (isHeld: boolean, routing: object) =>
    decideDispatch(
      { routing, rollout: {}, lineage: { lineage: LINEAGE, current: CURRENT } },
      { workspace: textWorkspace, clock: Date.parse(NOON), recorded: NOTHING, isHeld },
    );

  it('is hot and not resumed', () => {
    const routing = { owned_files: ['a'] };
    expect(dispatch(false, routing).routing.mode).toBe('resume');
    expect(dispatch(true, routing)).toMatchObject({
      routing: { mode: 'fresh-capsule', reason_codes: ['INDEPENDENT_CAPSULE'] },
      lineage: { state: 'HOT', invalidations: [] },
    });
  });

  it('may be inherited from', () => {
    const inheritance = { affinity: 'high', safe: true, within_budget: true, full_supported: true };
    expect(dispatch(true, { owned_files: ['a'], inheritance }).routing.mode).toBe('inherit-full');
  });
});
