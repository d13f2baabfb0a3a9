import type { MessageContent, ToolCall } from '@palimpsest/contracts';
import { invented, type Invented } from './invented-texts.js';
import type { OwnLoopRecorder } from './own-loop-recorder.js';
import { Seeded } from './seeded.js';

export type Scene = {
  readonly seed: number;
  readonly rounds: number;
  /** Pins come and go, and a second system message. */
  readonly withPins?: boolean;
  /** Share of the calls whose arguments are long. Default a quarter. */
  readonly reports?: number;
};

const REPORTS = 0.25;

type Late = { readonly result: MessageContent; readonly due: number };

/**
 * A caller's loop: a request, then rounds of parallel calls with results, some of which are large and some late, answers and
 * further requests, and a window before every turn of the model.
 */
export async function playScene(recorder: OwnLoopRecorder, scene: Scene): Promise<void> {
  const { seed, rounds, withPins = false, reports = REPORTS } = scene;
  const random = new Seeded(seed);
  const texts = invented(random);
  await recorder.say({ role: 'system', text: `You keep the books of a depot. ${texts.rule()}` });
  await recorder.say({ role: 'user', text: texts.request() });
  await playRounds(recorder, { random, texts, from: 0, rounds, withPins, reports });
}

/** Rounds of a scene that goes on, as in a branch of it. */
export async function goOn(recorder: OwnLoopRecorder, { seed, rounds }: Scene): Promise<void> {
  const random = new Seeded(seed);
  const texts = invented(random);
  await playRounds(recorder, { random, texts, from: 1000, rounds, withPins: false, reports: REPORTS });
}

type Rounds = {
  readonly random: Seeded;
  readonly texts: Invented;
  readonly from: number;
  readonly rounds: number;
  readonly withPins: boolean;
  readonly reports: number;
};

async function playRounds(recorder: OwnLoopRecorder, all: Rounds): Promise<void> {
  const { from, rounds, random, texts, withPins } = all;
  let late: Late | undefined;
  for (let round = from; round < from + rounds; round += 1) {
    await recorder.window();
    const calls = callsOf(round, all);
    await recorder.say({
      role: 'assistant',
      text: random.chance(0.5) ? texts.thought(1) : '',
      toolCalls: calls,
    });
    const results = calls.map(({ id }) => resultOf(id, all));
    const isLate = results.length > 1 && !late && random.chance(0.4);
    await recorder.say(...(isLate ? results.slice(0, -1) : results));
    if (isLate) late = { result: results.at(-1) as MessageContent, due: round + random.between(1, 3) };
    if (random.chance(0.3)) await recorder.say({ role: 'user', text: texts.request() });
    if (late && (late.due <= round || round === from + rounds - 1)) {
      await recorder.say(late.result);
      late = undefined;
    }
    if (withPins) await pinsAfter(recorder, { round, text: texts.rule() });
    await talk(recorder, all);
  }
  await recorder.window();
}

/** An answer and a further request, now and then. */
async function talk(recorder: OwnLoopRecorder, { random, texts }: Rounds): Promise<void> {
  if (!random.chance(0.3)) return;
  await recorder.window();
  await recorder.say({ role: 'assistant', text: texts.thought(random.between(1, 4)) });
  await recorder.say({ role: 'user', text: texts.request() });
}

function callsOf(round: number, { random, texts, reports }: Rounds): ToolCall[] {
  const count = random.of([1, 1, 2, 3]);
  return Array.from({ length: count }, (_, at): ToolCall => {
    const id = `call_${round}_${at}`;
    return random.chance(reports)
      ? { id, name: 'send_report', arguments: texts.report(random.between(4, 20)) }
      : { id, name: 'look_up', arguments: texts.lookUp() };
  });
}

function resultOf(toolCallId: string, { random, texts }: Rounds): MessageContent {
  const isLarge = random.chance(0.2);
  const text = random.chance(0.6)
    ? texts.rows(isLarge ? random.between(12, 24) : random.between(1, 3))
    : texts.logLines(isLarge ? random.between(10, 30) : random.between(1, 3));
  return { role: 'tool', text, toolCallId };
}

/** One stays to the end, one goes while it stands, one comes back. */
async function pinsAfter(
  recorder: OwnLoopRecorder,
  { round, text }: { readonly round: number; readonly text: string },
): Promise<void> {
  if (round === 2) await recorder.pin('pin_rule', text);
  if (round === 5) await recorder.pin('pin_short', text);
  if (round === 7) await recorder.say({ role: 'system', text });
  if (round === 9) await recorder.unpin('pin_short');
  if (round === 14) await recorder.pin('pin_short', text);
  if (round === 17) await recorder.unpin('pin_rule');
}
