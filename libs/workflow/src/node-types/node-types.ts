import type { JsonObject } from '@palimpsest/contracts';
import { dispatchConfigSchema } from '../loop/dispatch-config.js';
import { SIDE_EFFECT } from '../effects/side-effect-type.js';
import { DISPATCH, SUPERVISOR } from '../loop/loop-types.js';
import { supervisorConfigSchema } from '../loop/supervisor-config.js';
import { MODEL_NODE_CONFIGS } from '../models/model-node-config.js';
import { CALL_PROMPT, STRUCTURED_OUTPUT } from '../models/model-node-types.js';
import { z } from 'zod';
import { schemaProblems } from './config-problems.js';
import { delay } from './delay.js';
import { fail } from './fail.js';
import type { ConfigProblem, NodeType } from './node-type.js';
import { identity, noop } from './pass-through.js';
import { approvalGate } from './approval-gate.js';
import { clarificationGate } from './clarification-gate.js';
import { interrupt } from './interrupt.js';

/** Node types that do their work by themselves. */
const OWN_TYPES = [
  'core.noop',
  'core.identity',
  'core.delay',
  'core.fail',
  'core.approvalGate',
  'core.clarificationGate',
  'core.interrupt',
] as const;

/** Node types that this engine executes. */
export const NODE_TYPES = [
  ...OWN_TYPES,
  SUPERVISOR,
  DISPATCH,
  STRUCTURED_OUTPUT,
  CALL_PROMPT,
  SIDE_EFFECT,
] as const;

type NodeTypeId = (typeof OWN_TYPES)[number];

const TYPES: Readonly<Record<NodeTypeId, NodeType>> = {
  'core.noop': noop,
  'core.identity': identity,
  'core.delay': delay,
  'core.fail': fail,
  'core.approvalGate': approvalGate,
  'core.clarificationGate': clarificationGate,
  'core.interrupt': interrupt,
};

export function nodeTypeOf(typeId: string): NodeType | undefined {
  return Object.hasOwn(TYPES, typeId) ? TYPES[typeId as NodeTypeId] : undefined;
}

/** These do what the log and the outside say. */
const OTHER_CONFIGS = {
  [SUPERVISOR]: supervisorConfigSchema,
  [DISPATCH]: dispatchConfigSchema,
  ...MODEL_NODE_CONFIGS,
  [SIDE_EFFECT]: z.looseObject({}),
} as const;

export function isExecuted(typeId: string): boolean {
  return (NODE_TYPES as readonly string[]).includes(typeId);
}

/** What is wrong with a configuration; of types that are not ours nothing is known. */
export function configProblemsOf(typeId: string, config: JsonObject): readonly ConfigProblem[] {
  if (Object.hasOwn(OTHER_CONFIGS, typeId))
    return schemaProblems(OTHER_CONFIGS[typeId as keyof typeof OTHER_CONFIGS], config);
  return nodeTypeOf(typeId)?.problemsOf(config) ?? [];
}
