import { UsageError } from '../program/cli-error.js';
import { oneLine } from '../output/text.js';
import { parseJson, type JsonText } from './json-text.js';
import type { Conversation, ParsedTranscripts, SourceMessage, TranscriptProblem } from './transcript.js';

const SHAPES =
  'It takes a JSON array of chat messages, an object {"messages": […]}, or JSON Lines of either messages or\n' +
  'objects {"id": …, "messages": […]}.';

/**
 * Reads the shapes that transcripts are kept in: a JSON array of chat messages; `{id?, messages}`; an array of
 * those; JSON Lines of messages (one conversation) or of `{id?, messages}` (a conversation a line). `name` is
 * what a conversation without an id is called.
 * @throws UsageError where the text is none of them
 */
export function parseTranscripts(text: string, name: string): ParsedTranscripts {
  const body = text.replace(/^\uFEFF/, '');
  if (body.trim() === '') throw new UsageError(`${name} is empty`, SHAPES);
  const whole = parseJson(body);
  if ('value' in whole) return parseDocument(whole.value, name);
  const lines = body
    .split('\n')
    .map((content, index) => ({ line: index + 1, content }))
    .filter(({ content }) => content.trim() !== '')
    .map(({ line, content }): Line => ({ line, parsed: parseJson(content) }));
  const first = lines[0];
  if (!first || lines.length < 2 || !('value' in first.parsed)) {
    const { line, column } = whole.place;
    throw new UsageError(`${name} is not valid JSON: line ${line}, column ${column}`, SHAPES);
  }
  return isMessage(first.parsed.value) ? messageLines(lines, name) : conversationLines(lines, name);
}

type Line = { readonly line: number; readonly parsed: JsonText };

function parseDocument(value: unknown, name: string): ParsedTranscripts {
  if (Array.isArray(value) && value.some(isConversation)) {
    return joined(value.map((item: unknown, index) => conversationOf(item, `${name}#${index + 1}`, 1)));
  }
  if (isMessage(value)) return joined([conversationOf([value], name, 1)]);
  if (Array.isArray(value) || isConversation(value)) return joined([conversationOf(value, name, 1)]);
  throw new UsageError(`${name} holds no chat messages`, SHAPES);
}

function conversationLines(lines: readonly Line[], name: string): ParsedTranscripts {
  return joined(
    lines.map(({ line, parsed }) => {
      const label = `${name}:${line}`;
      return 'value' in parsed
        ? conversationOf(parsed.value, label, line)
        : { label, line, problem: `not valid JSON: column ${parsed.place.column}` };
    }),
  );
}

/** All of them are one conversation, so a bad line spoils it. */
function messageLines(lines: readonly Line[], name: string): ParsedTranscripts {
  const bad = lines.find(({ parsed }) => !('value' in parsed) || !isMessage(parsed.value));
  if (bad) {
    const problem =
      'value' in bad.parsed ? 'not a chat message' : `not valid JSON: column ${bad.parsed.place.column}`;
    return { conversations: [], problems: [{ label: name, line: bad.line, problem }] };
  }
  const messages = lines.map(({ line, parsed }, index) => ({
    message: ('value' in parsed ? parsed.value : undefined) as SourceMessage['message'],
    place: index + 1,
    line,
  }));
  return { conversations: [{ label: name, line: lines[0]?.line ?? 1, messages }], problems: [] };
}

function conversationOf(value: unknown, fallback: string, line: number): Conversation | TranscriptProblem {
  const label = labelOf(value) ?? fallback;
  const messages: unknown = Array.isArray(value) ? value : (value as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(messages)) return { label, line, problem: 'has no list of messages' };
  if (messages.length === 0) return { label, line, problem: 'has no messages' };
  const wrong = messages.findIndex((message) => !isMessage(message));
  if (wrong >= 0) return { label, line, problem: `message ${wrong + 1} is not a chat message` };
  return {
    label,
    line,
    messages: messages.map((message: SourceMessage['message'], index) => ({ message, place: index + 1 })),
  };
}

function labelOf(value: unknown): string | undefined {
  const id = (value as { id?: unknown } | null)?.id;
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id.trim() !== '' ? oneLine(id, 60) : undefined;
}

function joined(parts: readonly (Conversation | TranscriptProblem)[]): ParsedTranscripts {
  return {
    conversations: parts.filter((part): part is Conversation => 'messages' in part),
    problems: parts.filter((part): part is TranscriptProblem => 'problem' in part),
  };
}

function isConversation(value: unknown): boolean {
  return isObject(value) && 'messages' in value;
}

function isMessage(value: unknown): value is SourceMessage['message'] {
  return isObject(value) && typeof value['role'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
