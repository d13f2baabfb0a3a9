import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import type { ModelMessage } from '@palimpsest/kernel';

export type WireFormat = 'openai' | 'anthropic';

/** A request as it came over the wire, and what it says, whatever its format. */
export type WireRequest = {
  readonly format: WireFormat;
  /** 0 for the first. */
  readonly index: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyText: string;
  readonly body: JsonObject;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly maxOutputTokens: number | undefined;
  readonly idempotencyKey: string | undefined;
  /** How an object is asked for: by schema, by a tool that takes it, or not in so many words. */
  readonly objectBy: 'schema' | 'tool' | undefined;
  /** The bytes before the first message that is not the system's. */
  readonly systemBytes: string;
};

export type RawRequest = Pick<WireRequest, 'format' | 'index' | 'path' | 'headers' | 'bodyText'>;

/** `undefined` for a body that is no object. */
export function readWireRequest(raw: RawRequest): WireRequest | undefined {
  const body = objectOf(raw.bodyText);
  if (!body) return undefined;
  const key = raw.headers['idempotency-key'];
  const common = {
    ...raw,
    body,
    model: typeof body['model'] === 'string' ? body['model'] : '',
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
  return raw.format === 'openai' ? { ...common, ...openAi(body) } : { ...common, ...anthropic(body) };
}

type Said = Pick<WireRequest, 'system' | 'messages' | 'maxOutputTokens' | 'objectBy' | 'systemBytes'>;

function openAi(body: JsonObject): Said {
  const messages = listOf(body['messages']);
  const systemMessages = messages.filter(({ role }) => role === 'system');
  return {
    system: systemMessages.map(({ content }) => textOf(content)).join('\n'),
    messages: messages.filter(({ role }) => role !== 'system').map(messageOf),
    maxOutputTokens: numberOf(body['max_completion_tokens'] ?? body['max_tokens']),
    objectBy: body['response_format'] === undefined ? undefined : 'schema',
    systemBytes: JSON.stringify(systemMessages),
  };
}

function anthropic(body: JsonObject): Said {
  const config = body['output_config'];
  const bySchema = isObject(config) && config['format'] !== undefined;
  const byTool = listOf(body['tools']).some(({ name }) => name === 'json');
  return {
    system: textOf(body['system']),
    messages: listOf(body['messages']).map(messageOf),
    maxOutputTokens: numberOf(body['max_tokens']),
    objectBy: bySchema ? 'schema' : byTool ? 'tool' : undefined,
    systemBytes: JSON.stringify([body['tools'], body['system']]),
  };
}

function messageOf({ role, content }: JsonObject): ModelMessage {
  return { role: role === 'assistant' ? 'assistant' : 'user', text: textOf(content) };
}

/** Content is a text, or blocks of text. */
function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
