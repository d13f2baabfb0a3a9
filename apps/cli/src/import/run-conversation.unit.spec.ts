import { ApiError } from '@palimpsest/client';
import type { PalimpsestApi, WindowDocument } from '../client/palimpsest-api.js';
import { parseTranscripts } from '../transcripts/parse-transcripts.js';
import { runConversation, type ImportedRun } from './run-conversation.js';

const CONTEXT = {
  transcriptTokenBudget: 100,
  tokenCounter: 'chars',
  keepLastTurns: 1,
  strategy: 'none',
} as const;

/** Stands in for the API: appends are recorded, windows are what `windowAt` says. */
class StandInApi {
  readonly appended: string[][] = [];
  finished = false;
  #windows = 0;

  constructor(
    private readonly windowAt: (iteration: number) => Partial<WindowDocument> = () => ({}),
    private readonly refuseAppend?: { readonly at: number; readonly error: ApiError },
  ) {}

  async createRun(): Promise<object> {
    return { runId: 'run_1', context: CONTEXT };
  }

  async appendTurns(_runId: string, messages: readonly { role: string }[]): Promise<void> {
    if (this.appended.length === this.refuseAppend?.at) throw this.refuseAppend.error;
    this.appended.push(messages.map(({ role }) => role));
  }

  async planWindow(): Promise<object> {
    this.#windows += 1;
    return {
      iteration: this.#windows,
      tokenCount: 40,
      unboundedTokenCount: 90,
      entries: [{ tokens: 40 }],
      messages: [{ role: 'user', content: 'x' }],
      summarizedRanges: [],
      ...this.windowAt(this.#windows),
    };
  }

  async finish(): Promise<void> {
    this.finished = true;
  }
}

const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };
const LINES = [
  { role: 'user', content: 'Look' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', content: 'seen', tool_call_id: 'c' },
  { role: 'assistant', content: 'Seen.' },
];

function importInto(api: StandInApi): Promise<ImportedRun> {
  const text = LINES.map((message) => JSON.stringify(message)).join('\n');
  const [conversation] = parseTranscripts(text, 'chat').conversations;
  if (!conversation) throw new TypeError('no conversation');
  const request = { context: {}, every: 'turn', source: 'chat', finish: true } as const;
  return runConversation(api as unknown as PalimpsestApi, conversation, request);
}

describe('runConversation', () => {
  it('appends turn by turn, takes a window before each answer and one at the end, and finishes', async () => {
    const api = new StandInApi();
    const run = await importInto(api);
    expect(api.appended).toEqual([['user'], ['assistant', 'tool'], ['assistant']]);
    expect(run).toMatchObject({
      runId: 'run_1',
      turns: 3,
      violations: [],
      totals: { windows: 3, unboundedTokens: 270, fedTokens: 120, largestWindow: 40 },
    });
    expect(api.finished).toBe(true);
  });

  it('counts a summary once, for the window that it came with', async () => {
    const range = (eventId: string) => ({ eventId, summaryRef: 'art_s', replacedTurns: [] });
    const ranges = [[range('s1')], [range('s1')], [range('s1'), range('s2')]];
    const run = await importInto(
      new StandInApi((iteration) => ({ summarizedRanges: ranges[iteration - 1] ?? [] })),
    );
    expect(run.totals.summaries).toBe(2);
  });

  it('does not count a window twice that is answered again', async () => {
    const run = await importInto(new StandInApi(() => ({ iteration: 1 })));
    expect(run.totals).toMatchObject({ windows: 1, fedTokens: 40 });
  });

  it.each([
    ['above its budget', { tokenCount: 101, entries: [{ tokens: 101 }] }, 'window 2 has 101 of 100'],
    ['that counts itself wrong', { tokenCount: 41 }, 'window 2 says 41, its entries 40'],
    [
      'with an orphan',
      { messages: [{ role: 'tool', content: '', tool_call_id: 'c' }] },
      'window 2: message 1 is a tool result without its call before it',
    ],
  ])('notices a window %s', async (_, wrong, violation) => {
    const api = new StandInApi((iteration) => (iteration === 2 ? (wrong as Partial<WindowDocument>) : {}));
    expect((await importInto(api)).violations).toEqual([violation]);
  });

  it('stops where the messages are refused, and says at which line', async () => {
    const error = new ApiError({
      status: 422,
      code: 'tool_result_without_call',
      message: 'No such call.',
      details: { field: 'messages.1' },
    });
    const run = await importInto(new StandInApi(undefined, { at: 1, error }));
    expect(run.refusal).toEqual({
      line: 3,
      messages: [3, 3],
      code: 'tool_result_without_call',
      message: 'No such call.',
    });
    expect(run.totals.windows).toBe(1);
  });

  it('gives up where another conversation would fare no better', async () => {
    const error = new ApiError({
      status: 401,
      code: 'unauthenticated',
      message: 'No.',
      details: {},
    });
    await expect(importInto(new StandInApi(undefined, { at: 0, error }))).rejects.toBe(error);
  });
});
