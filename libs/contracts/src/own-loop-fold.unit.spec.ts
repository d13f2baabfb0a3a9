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

  it('is not changed by other events, and starts again where a replay does, with its target', () => {
    const state = { ...foldOwnLoop(started, said(1, 'user')), replayTarget: 7 };
    expect(foldOwnLoop(state, { type: 'other', payload: {}, schemaVersion: 1, sequence: 2 })).toBe(state);
    const restarted = foldOwnLoop(state, { type: 'run.started', payload, schemaVersion: 1, sequence: 0 });
    expect(restarted).toEqual({ ...started, replayTarget: 7 });
  });
});
