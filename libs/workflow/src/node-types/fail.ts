import { z } from 'zod';
import { runError } from '../engine/run-errors.js';
import { schemaProblems } from './config-problems.js';
import type { NodeType } from './node-type.js';

const configSchema = z.looseObject({
  code: z.string().min(1).max(128).optional(),
  message: z.string().min(1).max(2000).optional(),
  retryable: z.boolean().optional(),
});

/** `core.fail` fails, each time that it is started. */
export const fail: NodeType = {
  problemsOf: (config) => schemaProblems(configSchema, config),
  perform({ node }) {
    const { code, message, retryable } = node.config;
    const error = runError(
      (code as string | undefined) ?? 'node_failed',
      (message as string | undefined) ?? 'The node is made to fail.',
    );
    return { kind: 'fail', error: retryable === true ? { ...error, retryable } : error };
  },
};
