import { foldOwnLoop, startedOwnLoop, type PlacedEvent } from './own-loop-fold.js';
import { ownLoopStateSchema } from './commands/run-log-commands.js';

const context = {
  transcriptTokenBudget: 400,
  tokenCounter: 'cl100k_base',
  keepLastTurns: 2,
  strategy: 'none',
} as const;
const counts = { o200k_base: 1, cl100k_base: 10, chars: 100 };
const payload = { workflowId: 'w', tags: ['t'], metadata: { m: 1 }, configurable: { other: 1, context } };
const started = startedOwnLoop(payload);

function said(sequence: number, role: string, ...toolCallIds: string[]): PlacedEvent {
  const type = role === 'system' ? 'palimpsest.instruction.added' : 'palimpsest.message.appended';
  return { type, payload: { role, toolCallIds }, schemaVersion: 1, counts, sequence };
}

describe('the state of an own-loop run', () => {
  it('starts with the settings and nothing said', () => {
    expect(started).toEqual({
      context,
      lastMessageSequence: -1,
      messageCount: 0,
      openCalls: {},
      transcriptTokens: 0,
      instructionTokens: 0,
      tags: ['t'],
      metadata: { m: 1 },
      configurable: { other: 1, context },
    });
    expect(ownLoopStateSchema.safeParse(started).success).toBe(true);
  });

  it('counts in the unit of the run, instructions apart', () => {
    const state = [said(1, 'system'), said(2, 'user'), said(3, 'assistant')].reduce(foldOwnLoop, started);
    expect(state).toMatchObject({ transcriptTokens: 20, instructionTokens: 10, messageCount: 3 });
  });

  it('opens and closes calls, also of names that every object has', () => {
    const opened = [said(1, 'assistant', 'constructor', 'b'), said(2, 'tool', 'b')].reduce(
      foldOwnLoop,
      started,
    );
    expect(opened.openCalls).toEqual({ constructor: 1 });
    const again = [said(3, 'tool', 'constructor'), said(4, 'assistant', 'b')].reduce(foldOwnLoop, opened);
    expect(again.openCalls).toEqual({ b: 4 });
    expect(opened.openCalls).toEqual({ constructor: 1 });
  });

  it('knows its pins as long as they stand, in the unit of the run, and says nothing of them', () => {
    const added = (sequence: number, pinId: string): PlacedEvent => ({
      type: 'palimpsest.pin.added',
      payload: { pinId, artifactId: 'a' },
      schemaVersion: 1,
      counts,
      sequence,
    });
    const removed = (sequence: number, pinId: string): PlacedEvent => ({
      type: 'palimpsest.pin.removed',
      payload: { pinId },
      schemaVersion: 1,
      sequence,
    });
    const two = [added(1, 'pin_a'), added(2, 'pin_b')].reduce(foldOwnLoop, started);
    expect(two).toEqual({
      ...started,
      pins: { pin_a: { sequence: 1, tokens: 10 }, pin_b: { sequence: 2, tokens: 10 } },
    });
    expect(ownLoopStateSchema.safeParse(two).success).toBe(true);
    expect([removed(3, 'pin_b'), removed(4, 'pin_x')].reduce(foldOwnLoop, two).pins).toEqual({
      pin_a: { sequence: 1, tokens: 10 },
    });
    expect([removed(3, 'pin_b'), removed(4, 'pin_a')].reduce(foldOwnLoop, two)).toEqual(started);
  });

  it('is not changed by other events, and starts again where a replay does, with its target', () => {
    const state = { ...foldOwnLoop(started, said(1, 'user')), replayTarget: 7 };
    expect(foldOwnLoop(state, { type: 'other', payload: {}, schemaVersion: 1, sequence: 2 })).toBe(state);
    const restarted = foldOwnLoop(state, { type: 'run.started', payload, schemaVersion: 1, sequence: 0 });
    expect(restarted).toEqual({ ...started, replayTarget: 7 });
  });

  it('goes on under the settings of an overlay, in whose unit it counts from there', () => {
    const overlaid = { ...context, transcriptTokenBudget: 900, tokenCounter: 'chars' } as const;
    const payload = {
      context: overlaid,
      configurable: { model: 'm' },
      tags: [],
      transcriptTokens: 200,
      instructionTokens: 100,
      pins: { pin_1: { sequence: 1, tokens: 100 } },
    };
    const before = [said(1, 'system'), said(2, 'user'), said(3, 'assistant', 'a')].reduce(foldOwnLoop, {
      ...started,
      pins: { pin_1: { sequence: 1, tokens: 10 } },
    });
    const overlay = { type: 'palimpsest.run.overlaid', payload, schemaVersion: 1, sequence: 4 };
    const after = [overlay, said(5, 'user')].reduce(foldOwnLoop, before);
    expect(after).toEqual({
      ...before,
      context: overlaid,
      configurable: { model: 'm', context: overlaid },
      tags: [],
      pins: payload.pins,
      transcriptTokens: 300,
      instructionTokens: 100,
      messageCount: 4,
      lastMessageSequence: 5,
    });
    expect(ownLoopStateSchema.safeParse(after).success).toBe(true);
  });

  it('keeps what an overlay does not name', () => {
    const tagged = {
      type: 'palimpsest.run.overlaid',
      payload: { tags: ['u'] },
      schemaVersion: 1,
      sequence: 1,
    };
    expect(foldOwnLoop(started, tagged)).toEqual({ ...started, tags: ['u'] });
  });
});
