import { APPROVAL_ACTIONS, type JsonObject } from '@palimpsest/contracts';
import { z } from 'zod';
import { runError } from '../engine/run-errors.js';
import { approvalSchema, isResolvingAction } from '../interrupts/approval-answer.js';
import { schemaProblems } from './config-problems.js';
import { timeoutMsOf, timeoutMsSchema } from './interrupt-timeout.js';
import type { Answer, NodeOutcome, NodeType, NodeWork } from './node-type.js';

const DEFAULT_ACTIONS = ['accept', 'reject'];
const text = z.string().min(1).max(256);

const configSchema = z.looseObject({
  title: z.string().min(1).max(2000).optional(),
  actions: z
    .array(z.enum(APPROVAL_ACTIONS))
    .refine((actions) => new Set(actions).size === actions.length, 'must be unique')
    .refine((actions) => actions.some(isResolvingAction), 'must hold an action that ends the wait')
    .optional(),
  artifactId: text.optional(),
  artifactType: text.optional(),
  requiredApprovals: z.literal(1, 'must be 1: approval by several is not offered').optional(),
  timeoutMs: timeoutMsSchema,
});

/** `core.approvalGate`: waits for somebody's decision (host specification §3.5). */
export const approvalGate: NodeType = {
  problemsOf: (config) => schemaProblems(configSchema, config),
  perform: (work) => {
    const data = approvalData(work);
    return {
      kind: 'suspend',
      request: {
        kind: 'approval',
        data,
        resumeSchema: approvalSchema(data.actions),
        ...timeoutMsOf(work.node.config),
      },
    };
  },
  resume: (answer) => outcomeOf(answer),
};

/** What the node's configuration says, whole: the object is open. Its identity is the same in every replay. */
function approvalData({ node, rootRunId }: NodeWork): JsonObject & { readonly actions: readonly string[] } {
  const { timeoutMs: _timeout, kind: _kind, ...config } = node.config;
  return {
    artifactId: `${rootRunId}:${node.id}`,
    artifactType: 'approval',
    title: node.name,
    ...config,
    actions: (config['actions'] ?? DEFAULT_ACTIONS) as readonly string[],
  };
}

function outcomeOf({ value }: Answer): NodeOutcome {
  const answer = value as JsonObject;
  if (answer['action'] !== 'reject') return { kind: 'complete', outputs: answer };
  return { kind: 'fail', error: runError('approval_rejected', 'The approval was rejected.') };
}
