import { z } from 'zod';
import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { canonicalJson, TerminalError } from '@palimpsest/kernel';

/** Names the recipe inside what is hashed (host specification §6.8). */
const RECIPE = 'openwop-semantic-request-v2';

const identitySchema = z.looseObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  messages: z.array(z.json()).min(1),
});

export class InvalidCacheKeyRequestError extends TerminalError {
  constructor(field: string) {
    super('invalid_argument', `${field} is missing, or not what it has to be.`, { details: { field } });
  }
}

const NUMERIC = ['temperature', 'topP', 'topK', 'maxOutputTokens', 'seed'];
const PORTABLE = ['responseFormat', 'safetySettings'];

/** What does not change what a model is asked for, or says who asks. */
const NEVER = new Set([
  'stream',
  'metadata',
  'user',
  'userId',
  'endUserId',
  'requestId',
  'traceparent',
  'tracestate',
  'traceId',
  'tenantId',
  'runId',
  'nodeId',
  'timeout',
  'timeoutMs',
  'apiKey',
  'authorization',
  'credentials',
  'credentialRef',
  'cachePrefixId',
]);
const KNOWN = new Set([
  'provider',
  'model',
  'messages',
  'tools',
  'stop',
  'providerOptions',
  ...NUMERIC,
  ...PORTABLE,
]);

/** The bytes whose SHA-256 is the key of a request to a model. @throws InvalidCacheKeyRequestError */
export function canonicalLlmRequest(body: JsonValue | undefined): string {
  const parsed = identitySchema.safeParse(body);
  if (!parsed.success)
    throw new InvalidCacheKeyRequestError(String(parsed.error.issues[0]?.path[0] ?? 'body'));
  const asked = parsed.data as JsonObject;
  const providerOptions = optionsOf(asked, parsed.data.provider);
  return canonicalJson({
    recipe: RECIPE,
    provider: parsed.data.provider,
    model: parsed.data.model,
    request: requestOf(asked),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
  });
}

function requestOf(asked: JsonObject): JsonObject {
  const tools = sortedTools(asked['tools']);
  const stop = asked['stop'] ?? undefined;
  return Object.fromEntries([
    ['messages', asked['messages'] ?? []],
    ...(tools.length > 0 ? [['tools', tools] as const] : []),
    ...NUMERIC.flatMap((name) => (typeof asked[name] === 'number' ? [[name, asked[name]] as const] : [])),
    ...(stop === undefined ? [] : [['stop', Array.isArray(stop) ? stop : [stop]] as const]),
    ...PORTABLE.flatMap((name) => (asked[name] == null ? [] : [[name, asked[name]] as const])),
  ]) as JsonObject;
}

/** In the order of UTF-16 code units, which is how JavaScript compares text. */
function sortedTools(tools: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(tools)) return [];
  return [...(tools as readonly JsonValue[])].sort((left, right) =>
    nameOf(left) < nameOf(right) ? -1 : nameOf(left) > nameOf(right) ? 1 : 0,
  );
}

function nameOf(tool: JsonValue): string {
  const name =
    typeof tool === 'object' && tool !== null && !Array.isArray(tool) ? (tool as JsonObject)['name'] : '';
  return typeof name === 'string' ? name : '';
}

/** Options that belong to one provider, under its name. */
function optionsOf(asked: JsonObject, provider: string): JsonObject {
  const own = Object.entries(asked).filter(
    ([name, value]) => !KNOWN.has(name) && !NEVER.has(name) && value !== null,
  );
  const given = asked['providerOptions'];
  return {
    ...(typeof given === 'object' && given !== null && !Array.isArray(given) && (given as JsonObject)),
    ...Object.fromEntries(own.map(([name, value]) => [`vendor.${provider}.${name}`, value])),
  };
}
