import { CURRENT_REPLAY_FLAGS, type MessageContent } from '@palimpsest/contracts';
import type { CountTokens, SummarizedMessage, SummaryRequest } from '@palimpsest/kernel';
import {
  cutMessage,
  renderMessage,
  textEnds,
  waterFill,
  withoutSecrets,
  type Measure,
} from '@palimpsest/transcript';
import { renderRecord, type PromptRecord } from './summary-prompt.js';

/** What a job's records may count together. The unit is that of most models, whatever the job's is. */
export type RecordsRoom = { readonly tokens: number; readonly measure: Measure };

/** Of a record without its text, with some to spare. */
const FRAME_TOKENS = 20;
/** A record with less room says nothing. */
const LEAST_TOKENS = 24;
/** A text longer than this many characters a token is not looked at whole: it will be cut in any case. */
const CHARS_PER_TOKEN = 8;
const LEAST_LOOK = 2048;

/** Looking a text through for facts takes far longer than cutting it, and a record with less room has none for them. */
const LEAST_FOR_FACTS = 192;

const ROUNDS = 4;

type Source = {
  readonly sequence: number | undefined;
  readonly role: PromptRecord['role'];
  readonly message: MessageContent;
};

/**
 * What a job stands for, without secrets and shortened until it fits: small records stay whole, long ones keep their ends
 * and facts. Where there are too many even for that, the oldest are left out; their facts are in the summary all the same.
 * A pure function of the request. Empty where there is no room at all.
 */
export function promptRecords(request: SummaryRequest, room: RecordsRoom): readonly PromptRecord[] {
  const most = Math.floor(room.tokens / (FRAME_TOKENS + LEAST_TOKENS));
  const sources = most > 0 ? sourcesOf(request).slice(-most) : [];
  let tokens = room.tokens - sources.length * FRAME_TOKENS;
  const looked = lookedAt(sources, tokens);
  for (let round = 0; round < ROUNDS && tokens > 0; round += 1) {
    const records = shortened(looked, { ...room, tokens });
    const excess = tokensOf(records, room.measure.count, room.measure) - room.tokens;
    if (excess <= 0) return records;
    tokens -= excess;
  }
  return [];
}

function sourcesOf({ absorbed, messages }: SummaryRequest): Source[] {
  return [
    ...absorbed.map(({ text }): Source => ({
      sequence: undefined,
      role: 'summary',
      message: { role: 'user', text: withoutSecrets(text) },
    })),
    ...messages.map((message): Source => ({
      sequence: message.sequence,
      role: message.role,
      message: cleanMessage(message),
    })),
  ];
}

/** Without secrets before anything is cut: half a secret is not known as one. */
function cleanMessage({ role, text, toolCalls }: SummarizedMessage): MessageContent {
  return {
    role,
    text: withoutSecrets(text),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call) => ({ ...call, arguments: withoutSecrets(call.arguments) })),
    }),
  };
}

/** Counting takes time by length: what cannot fit is not counted whole. */
function lookedAt(sources: readonly Source[], tokens: number): readonly Source[] {
  const lengths = sources.map(({ message }) => lengthOf(message));
  const shares = waterFill(lengths, tokens * CHARS_PER_TOKEN);
  return sources.map((source, index) => {
    const most = Math.max(shares[index] ?? 0, LEAST_LOOK);
    return (lengths[index] ?? 0) <= most ? source : { ...source, message: endsOf(source.message, most) };
  });
}

function lengthOf({ text, toolCalls = [] }: MessageContent): number {
  return toolCalls.reduce((sum, call) => sum + call.arguments.length, text.length);
}

function endsOf(message: MessageContent, most: number): MessageContent {
  const { toolCalls } = message;
  const ends = (part: string): string => textEnds(part, most);
  return {
    ...message,
    text: ends(message.text),
    ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, arguments: ends(call.arguments) })) }),
  };
}

function shortened(sources: readonly Source[], { tokens, measure }: RecordsRoom): readonly PromptRecord[] {
  const sizes = sources.map(({ message }) => measure.count(renderMessage(message), measure.counter));
  const shares = waterFill(sizes, tokens);
  return sources.flatMap(({ sequence, role, message }, index): PromptRecord[] => {
    const max = shares[index] ?? 0;
    const whole = (sizes[index] ?? 0) <= max;
    const rendered = whole
      ? renderMessage(message)
      : cutMessage(message, {
          ...{ sequence: sequence ?? 0, max, measure: cuttingMeasure(measure, max) },
          // a prompt is no part of what a replay derives
          flags: CURRENT_REPLAY_FLAGS,
        })?.rendered;
    if (rendered === undefined) return [];
    // The role stands in the record's tag.
    const text = rendered.slice(message.role.length + 2).trimEnd();
    return [{ role, text, ...(sequence !== undefined && { sequence }) }];
  });
}

function tokensOf(records: readonly PromptRecord[], count: CountTokens, { counter }: Measure): number {
  return count(records.map(renderRecord).join(''), counter);
}

function cuttingMeasure(measure: Measure, max: number): Measure {
  return max >= LEAST_FOR_FACTS ? measure : { ...measure, facts: () => () => '' };
}
