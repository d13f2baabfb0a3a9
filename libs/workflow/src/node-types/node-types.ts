import { delay } from './delay.js';
import { fail } from './fail.js';
import type { NodeType } from './node-type.js';
import { identity, noop } from './pass-through.js';
import { approvalGate } from './approval-gate.js';
import { clarificationGate } from './clarification-gate.js';
import { interrupt } from './interrupt.js';

/** Node types that this engine executes. */
export const NODE_TYPES = [
  'core.noop',
  'core.identity',
  'core.delay',
  'core.fail',
  'core.approvalGate',
  'core.clarificationGate',
  'core.interrupt',
] as const;

type NodeTypeId = (typeof NODE_TYPES)[number];

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
