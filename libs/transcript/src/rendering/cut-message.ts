import {
  FLAG,
  hasFlag,
  type MessageContent,
  type RenderingContent,
  type ReplayFlags,
  type ToolCall,
} from '@palimpsest/contracts';
import { FACTS_LOOK_AT, LEAST_HEAD, marker, textCutter, type Cut } from './cut-text.js';
import { firstWithin, longestWithin } from './fill-room.js';
import { boundedCount, codePoints } from './measure.js';
import { renderMessage } from './render-message.js';
import { textEnds } from './text-ends.js';
import { waterFill } from './water-fill.js';

/** Rounds of shrinking before the next smaller form is taken. */
const ROUNDS = 6;

type CutTarget = Cut & { readonly message: MessageContent; readonly flags: ReplayFlags };

/**
 * A message in at most `max`: head, facts and tail of its text, its arguments cut but still valid JSON.
 * `undefined` where not even the shortest form fits (then the caller elides it). `flags` are those of the run.
 */
export function cutMessage(
  message: MessageContent,
  cut: Cut & { readonly flags: ReplayFlags },
): RenderingContent | undefined {
  const target = { ...cut, message };
  return shrunk(target) ?? fitting(target, callsNamed(target)) ?? fitting(target, marked(target));
}

function withRendering(
  message: MessageContent,
  text: string,
  toolCalls?: readonly ToolCall[],
): RenderingContent {
  const rendered = renderMessage({ role: message.role, text, ...(toolCalls && { toolCalls }) });
  return { rendered, text, ...(toolCalls && { toolCalls }) };
}

function fitting({ measure, max }: CutTarget, form: RenderingContent): RenderingContent | undefined {
  return measure.count(form.rendered, measure.counter) <= max ? form : undefined;
}

/** Shares what is left beside labels and call names among text and arguments; small ones stay whole. */
function shrunk(target: CutTarget): RenderingContent | undefined {
  const { message, measure, max, sequence, flags } = target;
  const calls = message.toolCalls ?? [];
  const parts = [message.text, ...calls.map((call) => call.arguments)];
  const empty = withRendering(
    message,
    '',
    calls.length > 0 ? calls.map((call) => ({ ...call, arguments: '' })) : undefined,
  );
  const cutText = textCutter(message.text, { sequence, measure });
  let room = max - measure.count(empty.rendered, measure.counter) - calls.length;
  if (room <= 0) return undefined;
  const sizes = parts.map((part) => boundedCount(part, room, measure));
  for (let round = 0; round < ROUNDS && room > 0; round += 1) {
    const shares = waterFill(sizes, room);
    const text = cutText(shares[0] ?? 0);
    const cutCalls = calls.map((call, index) =>
      cutCall(call, { sequence, max: shares[index + 1] ?? 0, measure, flags }),
    );
    if (text === undefined || cutCalls.some((call) => call === undefined)) return undefined;
    const form = withRendering(message, text, calls.length > 0 ? (cutCalls as ToolCall[]) : undefined);
    const excess = measure.count(form.rendered, measure.counter) - max;
    if (excess <= 0) return form;
    room -= excess + round;
  }
  return undefined;
}

/** Arguments stay valid JSON: their facts, their beginning where these leave room, and how much is not shown. */
function cutCall(call: ToolCall, cut: Omit<CutTarget, 'message'>): ToolCall | undefined {
  const { max, measure, flags } = cut;
  if (boundedCount(call.arguments, max, measure) <= max) return call;
  const total = codePoints(call.arguments);
  const size = (text: string): number => measure.count(text, measure.counter);
  const factsWithin = measure.facts(textEnds(call.arguments, FACTS_LOOK_AT), measure.counter);
  const shownIn = (room: number): string => {
    const facts = factsWithin(room);
    const left = room - size(facts) - HEAD_FRAME;
    const head = left < room * LEAST_HEAD ? '' : measure.head(call.arguments, measure.counter, left);
    const shown = { ...(facts !== '' && { _facts: facts }), ...(head !== '' && { _head: head }) };
    return omittedArguments(total - codePoints(head), shown);
  };
  const within = { max, size, first: max - size(omittedArguments(total, { _facts: '' })) };
  const fill = hasFlag(flags, FLAG.FULL_ARGUMENTS) ? longestWithin : firstWithin;
  const text = fill(shownIn, within) ?? omittedArguments(total);
  return size(text) <= max ? { ...call, arguments: text } : undefined;
}

/** Room for the key of the beginning, in any unit. */
const HEAD_FRAME = 10;

type Shown = { readonly _facts?: string; readonly _head?: string };

function omittedArguments(omitted: number, shown: Shown = {}): string {
  return JSON.stringify({ _omitted: omitted, ...shown });
}

function bareCalls(message: MessageContent): ToolCall[] | undefined {
  return message.toolCalls?.map((call) => ({
    ...call,
    arguments: omittedArguments(codePoints(call.arguments)),
  }));
}

/** Names of the calls, nothing of their arguments or the text. */
function callsNamed({ message, sequence }: CutTarget): RenderingContent {
  const text = message.text === '' ? '' : marker(codePoints(message.text), sequence);
  return withRendering(message, text, bareCalls(message));
}

/** The shortest form: one marker. A provider still needs the calls in `messages`; they are not rendered. */
function marked({ message, sequence }: CutTarget): RenderingContent {
  const calls = message.toolCalls ?? [];
  const omitted = [message.text, ...calls.map((call) => call.arguments)].reduce(
    (sum, part) => sum + codePoints(part),
    0,
  );
  const text = marker(omitted, sequence);
  const toolCalls = bareCalls(message);
  return { rendered: `${message.role}: ${text}\n`, text, ...(toolCalls && { toolCalls }) };
}
