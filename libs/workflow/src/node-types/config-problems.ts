import type { z } from 'zod';
import type { ConfigProblem } from './node-type.js';

/** Problems of a configuration with its schema: places and reasons, no values. */
export function schemaProblems(schema: z.ZodType, config: unknown): readonly ConfigProblem[] {
  const parsed = schema.safeParse(config);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.'),
    problem: message,
  }));
}
