import type { Json } from './host.js';
import type { TranscriptWindow } from './transcript-windows.js';
import { isUnderPressure, missingOfTail, WINDOW_RULES, type JudgedWindow } from './window-rules.js';

function event(sequence: number, type: string, payload: object = {}, nodeId = 'supervisor'): object {
  return { eventId: `e${sequence}`, sequence, type, nodeId, payload };
}

const decided = (sequence: number, iteration: number) =>
  event(sequence, 'runOrchestrator.decided', { iteration });
const outcome = (sequence: number) => event(sequence, 'node.completed', {}, 'dispatch');

/** Two turns summarized, one fed, and the fourth about to be decided. */
const EVENTS: readonly Json[] = [
  event(0, 'run.started', {}, ''),
  ...[decided(1, 1), outcome(2), decided(3, 2), outcome(4)],
  event(5, 'context.summarized', { summaryRef: 'old', replacedTurns: ['e1', 'e2'] }),
  decided(6, 3),
  outcome(7),
  event(8, 'context.summarized', { summaryRef: 'new', replacedTurns: ['e5', 'e3', 'e4'] }),
  decided(9, 4),
];

const WINDOW: TranscriptWindow = {
  tokenCounter: 'chars',
  tokenCount: 10,
  eventIds: ['e6', 'e7'],
  summarizedRanges: [{ summaryRef: 'new', replacedTurns: ['e5', 'e3', 'e4'] }],
  entries: [
    { eventId: 'e8', rendered: 'sum\n' },
    { eventId: 'e6', rendered: 'a😀\n' },
    { eventId: 'e7', rendered: 'bc\n' },
  ],
};

function judged(changes: Partial<TranscriptWindow> = {}, events = EVENTS): JudgedWindow {
  return {
    window: { ...WINDOW, ...changes },
    iteration: 4,
    events,
    budget: { tokens: 10, counter: 'chars' },
  };
}

/** The rules that a window breaks, by their numbers. */
function broken(window: JudgedWindow): readonly string[] {
  return WINDOW_RULES.filter(([, rule]) => rule(window).length > 0).map(([name]) => name.split(':')[0] ?? '');
}

const [summary, first, second] = WINDOW.entries ?? [];

describe('the rules of a window', () => {
  it('are kept by one that keeps them', () => {
    expect(broken(judged())).toEqual([]);
  });

  it.each<[string, readonly string[], Partial<Record<keyof TranscriptWindow, unknown>>]>([
    ['a count that is no number', ['1', '6'], { tokenCount: 1.5 }],
    ['a range without its turns', ['1', '9'], { summarizedRanges: [{ summaryRef: 'new' }] }],
    ['another unit', ['2'], { tokenCounter: 'o200k_base' }],
    ['a count over the budget', ['3', '6'], { tokenCount: 11 }],
    ['an event of no run', ['4', '5', '7'], { eventIds: ['e6', 'e7', 'x'] }],
    ['an event twice', ['4', '7'], { eventIds: ['e6', 'e7', 'e7'] }],
    ['events out of order', ['4', '7'], { eventIds: ['e7', 'e6'] }],
    ['its own decision', ['5', '7'], { eventIds: ['e6', 'e7', 'e9'] }],
    ['no entries', ['6', '7'], { entries: undefined }],
    ['an entry less', ['6', '7'], { entries: [summary, second] }],
    ['a summary that no range tells of', ['8'], { summarizedRanges: [] }],
    ['a range of no summary', ['8', '9'], { summarizedRanges: [{ summaryRef: 'x', replacedTurns: [] }] }],
    ['a hole at its end', ['7', '8', '10'], { eventIds: ['e3', 'e7'], summarizedRanges: [] }],
  ])('are broken by %s', (_what, rules, changes) => {
    expect(broken(judged(changes as Partial<TranscriptWindow>))).toEqual(rules);
  });

  it('want the newest of each kind, unless a summary stands for it', () => {
    const hole = { eventIds: ['e3', 'e4', 'e7'], summarizedRanges: [] };
    expect(WINDOW_RULES[9]?.[1](judged(hole))).toEqual(['e6 is left out']);
    expect(
      WINDOW_RULES[9]?.[1](
        judged({ ...hole, summarizedRanges: [{ summaryRef: 'n', replacedTurns: ['e6'] }] }),
      ),
    ).toEqual([]);
  });

  it('want the last turns kept', () => {
    expect(missingOfTail(judged(), 2)).toEqual([]);
    expect(missingOfTail(judged({ eventIds: ['e7'] }), 1)).toEqual([]);
    expect(missingOfTail(judged({ eventIds: ['e2', 'e6'] }), 2)).toEqual(['e7']);
    expect(missingOfTail(judged(), 0)).toEqual([]);
  });

  it('know pressure from its absence', () => {
    expect(isUnderPressure(judged())).toBe(true);
    expect(isUnderPressure(judged({ summarizedRanges: [] }))).toBe(true);
    expect(isUnderPressure(judged({ summarizedRanges: [], eventIds: ['e1', 'e2', 'e3', 'e4'] }))).toBe(false);
  });

  it('count code points', () => {
    expect(first?.rendered).toHaveLength(4);
    expect(broken(judged({ tokenCount: 11 }))).toContain('6');
  });
});
