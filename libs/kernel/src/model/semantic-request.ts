import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { canonicalJson } from '../canonical-json.js';
import { TerminalError } from '../errors/palimpsest-error.js';

/** Names the recipe inside what is hashed (host specification §6.8). */
const RECIPE = 'openwop-semantic-request-v2';

export class InvalidSemanticRequestError extends TerminalError {
  constructor(field: string) {
    super('invalid_argument', `${field} is missing, or not what it has to be.`, { details: { field } });
  }
}

const NUMERIC = ['temperature', 'topP', 'topK', 'maxOutputTokens', 'seed'];
const PORTABLE = ['responseFormat', 'safetySettings'];
const KNOWN: ReadonlySet<string> = new Set([
  ...['provider', 'model', 'messages', 'tools', 'stop', 'providerOptions'],
  ...NUMERIC,
  ...PORTABLE,
]);

/** What does not change what a model is asked for, or says who asks, when and how. */
const NEVER: ReadonlySet<string> = new Set([
  ...['stream', 'metadata', 'user', 'userId', 'endUserId', 'requestId', 'tenantId', 'runId', 'nodeId'],
  ...['traceparent', 'tracestate', 'traceId', 'spanId', 'traceContext', 'timeout', 'timeoutMs'],
  ...['apiKey', 'authorization', 'credentials', 'credentialRef', 'cachePrefixId'],
]);

/**
 * The bytes whose SHA-256 in lower-case hex is the cache key of a request to a model: RFC 8785 of what the request means,
 * whoever makes it. Text is not normalised. The key tells requests apart and never finds an answer: two turns of a loop may
 * ask the same.
 * @throws InvalidSemanticRequestError for no provider, model or messages; ValidationError for what JSON cannot say exactly
 */
export function canonicalSemanticRequest(body: JsonValue | undefined): string {
  if (!isObject(body)) throw new InvalidSemanticRequestError('body');
  const provider = nameIn(body, 'provider');
  const model = nameIn(body, 'model');
  const providerOptions = optionsOf(body, provider);
  return canonicalJson({
    recipe: RECIPE,
    provider,
    model,
    request: requestOf(body),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
  });
}

function nameIn(body: JsonObject, field: 'provider' | 'model'): string {
  const name = body[field];
  if (typeof name !== 'string' || name === '') throw new InvalidSemanticRequestError(field);
  return name;
}

/** Members that are absent or null are left out; what stands inside a message, a tool or a form stays as it is. */
function requestOf(body: JsonObject): JsonObject {
  const { messages, stop } = body;
  if (!isList(messages) || messages.length === 0) throw new InvalidSemanticRequestError('messages');
  const tools = sortedTools(body['tools']);
  return {
    messages,
    ...(tools.length > 0 && { tools }),
    ...membersOf(body, NUMERIC, (value) => typeof value === 'number'),
    ...(stop != null && { stop: isList(stop) ? stop : [stop] }),
    ...membersOf(body, PORTABLE, (value) => value != null),
  };
}

function membersOf(
  body: JsonObject,
  names: readonly string[],
  counts: (value: JsonValue | undefined) => boolean,
): JsonObject {
  const members = names.filter((name) => counts(body[name])).map((name) => [name, body[name]] as const);
  return Object.fromEntries(members) as JsonObject;
}

/** In the order of UTF-16 code units, which is how JavaScript compares text; equal names stay in their order. */
function sortedTools(tools: JsonValue | undefined): readonly JsonValue[] {
  if (!isList(tools)) return [];
  return [...tools].sort((left, right) => {
    const [one, other] = [toolName(left), toolName(right)];
    return one < other ? -1 : one > other ? 1 : 0;
  });
}

function toolName(tool: JsonValue): string {
  const name = isObject(tool) ? tool['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/** Options of one provider: those given as such, and unknown ones, which go under its name. */
function optionsOf(body: JsonObject, provider: string): JsonObject {
  const prefix = `vendor.${provider}.`;
  const given = body['providerOptions'];
  const said = isObject(given) ? Object.entries(given) : [];
  const unknown = Object.entries(body)
    .filter(([name]) => !KNOWN.has(name))
    .map(([name, value]) => [prefix + name, value] as const);
  const isNever = (name: string) => name.startsWith(prefix) && NEVER.has(name.slice(prefix.length));
  return Object.fromEntries([...said, ...unknown].filter(([name, value]) => value != null && !isNever(name)));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
