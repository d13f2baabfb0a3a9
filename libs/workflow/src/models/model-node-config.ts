import type { JsonObject, RunError, WorkflowNode } from '@palimpsest/contracts';
import { z } from 'zod';
import { runError } from '../engine/run-errors.js';
import { schemaCheckOf } from '../interrupts/json-schema.js';
import { memberOf } from '../values/scope.js';
import { CALL_PROMPT, STRUCTURED_OUTPUT } from './model-node-types.js';

const MOST_MESSAGES = 1000;

const messagesSchema = z
  .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
  .min(1)
  .max(MOST_MESSAGES);
const promptSchema = z.string().min(1);
const name = z.string().min(1).max(256).optional();

/** `provider` and `model` choose among those of the host. Other keys are the provider's. */
const common = { provider: name, model: name, messages: messagesSchema.optional() };

/** Configurations of nodes that a model answers. */
export const MODEL_NODE_CONFIGS = {
  [STRUCTURED_OUTPUT]: z.looseObject({
    ...common,
    outputSchema: z
      .record(z.string(), z.json())
      .refine((schema) => schemaCheckOf(schema) !== undefined, 'is no JSON Schema that can be used'),
  }),
  [CALL_PROMPT]: z.looseObject({ ...common, prompt: promptSchema.optional() }),
} as const;

/**
 * Why a node cannot be put to a model as it stands: inputs are known when it runs only. Its own inputs go before what its
 * configuration says. Names the member at fault, without content.
 */
export function questionProblem({ typeId, config }: WorkflowNode, inputs: JsonObject): RunError | undefined {
  const schema =
    typeId === STRUCTURED_OUTPUT ? MODEL_NODE_CONFIGS[STRUCTURED_OUTPUT] : MODEL_NODE_CONFIGS[CALL_PROMPT];
  if (!schema.safeParse(config).success) return unfit('config');
  const messages = memberOf(inputs, 'messages') ?? memberOf(config, 'messages');
  if (messages !== undefined)
    return messagesSchema.safeParse(messages).success ? undefined : unfit('messages');
  if (typeId === STRUCTURED_OUTPUT) return unfit('messages');
  const prompt = memberOf(inputs, 'prompt') ?? memberOf(config, 'prompt');
  return promptSchema.safeParse(prompt).success ? undefined : unfit('prompt');
}

function unfit(field: string): RunError {
  return runError('validation_error', 'The node has nothing that a model could be asked.', { field });
}
