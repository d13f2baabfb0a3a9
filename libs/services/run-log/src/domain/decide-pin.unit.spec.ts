import { MOST_PINS, type AddPin, type ContextSettings } from '@palimpsest/contracts';
import { decidePin, type PinnedRun } from './decide-pin.js';

const key = { tenantId: 'acme', runId: 'run-1' };
const context: ContextSettings = {
  transcriptTokenBudget: 1000,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'none',
};
const artifactId = `art_${'a'.repeat(32)}`;
const counts = { o200k_base: 3, cl100k_base: 4, chars: 100 };
const add: AddPin = { ...key, pinId: 'pin_a', artifactId, counts, repaired: false };
const pinned = (...tokens: readonly number[]) =>
  Object.fromEntries(tokens.map((count, place) => [`pin_${place}`, { sequence: place + 1, tokens: count }]));

const added = (run: PinnedRun, more: Partial<AddPin> = {}) =>
  decidePin({ kind: 'add-pin', ...add, ...more }, run);
const removed = (run: PinnedRun, pinId: string) => decidePin({ kind: 'remove-pin', ...key, pinId }, run);

describe('a pin', () => {
  it('is an event of its own place, with what its text counts and none of it', () => {
    expect(added({ context })).toEqual({
      type: 'palimpsest.pin.added',
      nodeId: 'pin:pin_a',
      payload: { pinId: 'pin_a', artifactId },
      counts,
      schemaVersion: 1,
    });
    const more = { repaired: true, pinnedEventId: 'evt-run-1-3' };
    expect(added({ context }, more).payload).toEqual({ pinId: 'pin_a', artifactId, ...more });
  });

  it('is removed where it is there', () => {
    expect(removed({ context, pins: pinned(5) }, 'pin_0')).toEqual({
      type: 'palimpsest.pin.removed',
      nodeId: 'pin:pin_0',
      payload: { pinId: 'pin_0' },
      schemaVersion: 1,
    });
    for (const pins of [undefined, pinned(5)])
      expect(() => removed({ context, pins }, 'pin_z')).toThrow(
        expect.objectContaining({ code: 'not_found' }),
      );
    expect(() => removed({}, 'pin_z')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('needs a run with windows, an id of its own, and no crowd', () => {
    const invalid = expect.objectContaining({ code: 'validation_error' });
    expect(() => added({})).toThrow(invalid);
    expect(() => added({ context, pins: pinned(1) }, { pinId: 'pin_0' })).toThrow(invalid);
    const many = (count: number) => pinned(...new Array<number>(count).fill(0));
    expect(added({ context, pins: many(MOST_PINS - 1) }).type).toBe('palimpsest.pin.added');
    expect(() => added({ context, pins: many(MOST_PINS) })).toThrow(invalid);
  });

  /** Two turns of 192 code points have to fit beside all pins. */
  it.each([
    [[], 616, true],
    [[], 617, false],
    [[300], 316, true],
    [[300], 317, false],
    [[1000], 1, false],
  ])('beside pins of %j, of %i code points, fits: %s', (others, chars, fits) => {
    const run = { context, pins: pinned(...others) };
    const decide = () => added(run, { counts: { ...counts, chars } });
    if (fits) expect(decide().counts?.chars).toBe(chars);
    else {
      const minimumBudget = 384 + chars + others.reduce((sum, tokens) => sum + tokens, 0);
      const details = { transcriptTokenBudget: 1000, minimumBudget };
      expect(decide).toThrow(expect.objectContaining({ code: 'context_budget_infeasible', details }));
    }
  });

  /** Two turns take two entries each, a summary one, and each pin one more. */
  it.each([
    ['none', 5, 0, true],
    ['none', 5, 1, false],
    ['recursive', 6, 0, true],
    ['recursive', 6, 1, false],
    ['recursive', 4 + 1 + MOST_PINS, MOST_PINS - 1, true],
  ] as const)('with strategy %s, a window of %i entries and %i pins takes one more: %s', (...row) => {
    const [strategy, transcriptWindow, others, fits] = row;
    const run = {
      context: { ...context, strategy, transcriptWindow },
      pins: pinned(...new Array<number>(others).fill(0)),
    };
    const decide = () => added(run, { counts: { ...counts, chars: 1 } });
    if (fits) expect(decide().type).toBe('palimpsest.pin.added');
    else {
      const details = { transcriptWindow, minimumTranscriptWindow: transcriptWindow + 1 };
      expect(decide).toThrow(
        expect.objectContaining({
          code: 'context_budget_infeasible',
          details: expect.objectContaining(details) as object,
        }),
      );
    }
  });
});
