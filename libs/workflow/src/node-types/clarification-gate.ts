import type { JsonObject } from '@palimpsest/contracts';
import { z } from 'zod';
import { clarificationSchema } from '../interrupts/clarification-answer.js';
import { schemaCheckOf } from '../interrupts/json-schema.js';
import { schemaProblems } from './config-problems.js';
import { timeoutMsOf, timeoutMsSchema } from './interrupt-timeout.js';
import type { NodeType } from './node-type.js';

const schemaSchema = z
  .record(z.string(), z.json())
  .refine((schema) => schemaCheckOf(schema) !== undefined, 'is no JSON Schema that can be used');

const questionSchema = z.strictObject({
  id: z.string().min(1).max(256),
  question: z.string().min(1).max(4000),
  schema: schemaSchema.optional(),
});

const configSchema = z.looseObject({
  questions: z
    .array(questionSchema)
    .min(1)
    .max(50)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must have unique ids'),
  contextType: z.string().max(256).optional(),
  timeoutMs: timeoutMsSchema,
});

type Question = { readonly id: string; readonly question: string; readonly schema?: JsonObject };

/** `core.clarificationGate`: waits for answers to its questions. */
export const clarificationGate: NodeType = {
  problemsOf: (config) => schemaProblems(configSchema, config),
  perform({ node: { config } }) {
    const questions = config['questions'] as unknown as readonly Question[];
    const { contextType } = config;
    const data: JsonObject = { questions, ...(contextType !== undefined && { contextType }) };
    return {
      kind: 'suspend',
      request: {
        kind: 'clarification',
        data,
        resumeSchema: clarificationSchema(questions),
        ...timeoutMsOf(config),
      },
    };
  },
  resume: ({ value }) => ({ kind: 'complete', outputs: { answers: value } }),
};
