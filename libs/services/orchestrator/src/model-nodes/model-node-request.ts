import type { JsonObject, RunError } from '@palimpsest/contracts';
import type { AnswerForm, AskedOfModel } from '@palimpsest/kernel';
import { CALL_PROMPT } from '@palimpsest/workflow';
import { z } from 'zod';
import { callError } from '../invocations/call-errors.js';
import { requestedSettings } from '../invocations/requested-settings.js';

/** What a node asks a model, and how long it waits for the answer where it says so. */
export type NodeRequest = { readonly request: AskedOfModel; readonly timeoutMs?: number | undefined };

const messageSchema = z.looseObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
});
const messagesSchema = z.array(messageSchema).min(1).max(1000);
const jsonObjectSchema = z.record(z.string(), z.json());

const said = { prompt: z.string().min(1).optional(), messages: messagesSchema.optional() };

const askedSchema = z.object({
  config: z.object({
    ...said,
    system: z.string().optional(),
    maxOutputTokens: z.int().min(1).max(1_000_000).default(4096),
    temperature: z.number().min(0).max(2).optional(),
    timeoutMs: z.int().min(1).max(600_000).optional(),
    outputSchema: jsonObjectSchema.optional(),
  }),
  inputs: z.object(said),
});

type Asked = { readonly typeId: string; readonly config: JsonObject; readonly inputs: JsonObject };

/**
 * A function of a node's configuration and inputs and of its run's `configurable`, which goes first. Inputs go before
 * configuration, a prompt before messages.
 */
export function nodeRequestOf(
  { typeId, config, inputs }: Asked,
  configurable?: JsonObject,
): NodeRequest | { readonly error: RunError } {
  const parsed = askedSchema.safeParse({ config, inputs });
  if (!parsed.success) return unfit(parsed.error.issues[0]?.path ?? []);
  const { data } = parsed;
  const answer = answerForm(typeId, data.config.outputSchema);
  if (!answer) return unfit(['config', 'outputSchema']);
  const said = saidIn(data.inputs) ?? saidIn(data.config) ?? [];
  const messages = said.filter(({ role }) => role !== 'system');
  if (messages.length === 0) return unfit(['inputs']);
  const { maxOutputTokens, temperature } = { ...data.config, ...requestedSettings(configurable) };
  const request: AskedOfModel = {
    system: [data.config.system ?? [], said.filter(({ role }) => role === 'system').map(textOf)]
      .flat()
      .join('\n\n'),
    messages: messages.map(({ role, content }) => ({
      role: role === 'assistant' ? role : 'user',
      text: content,
    })),
    answer,
    maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
  };
  return { request, timeoutMs: data.config.timeoutMs };
}

type Message = z.infer<typeof messageSchema>;
type Part = { readonly prompt?: string | undefined; readonly messages?: readonly Message[] | undefined };

function saidIn({ prompt, messages }: Part): readonly Message[] | undefined {
  return prompt === undefined ? messages : [{ role: 'user', content: prompt }];
}

function textOf({ content }: { readonly content: string }): string {
  return content;
}

function answerForm(typeId: string, schema: JsonObject | undefined): AnswerForm | undefined {
  if (typeId === CALL_PROMPT) return { kind: 'text' };
  return schema && { kind: 'object', name: 'output', schema };
}

function unfit(path: readonly PropertyKey[]): { readonly error: RunError } {
  const field = path.map(String).join('.');
  return { error: callError('validation_error', 'The node does not say what to ask a model.', { field }) };
}
