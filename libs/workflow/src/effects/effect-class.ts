import { DISPATCH, SUPERVISOR } from '../loop/loop-types.js';
import { CALL_PROMPT, STRUCTURED_OUTPUT } from '../models/model-node-types.js';
import type { NODE_TYPES } from '../node-types/node-types.js';
import { SIDE_EFFECT } from './side-effect-type.js';

/**
 * What a replay does about a node, decided before the node is executed (host specification §6.4).
 * `pure`: a function of definition, inputs and variables, which is executed again.
 * `waits`: as `pure`, once time has passed or somebody has answered.
 * `recorded`: reaches out of the host. Its outcome is what the source recorded, or there is none.
 */
export type EffectClass = 'pure' | 'waits' | 'recorded';

const CLASSES: Readonly<Record<(typeof NODE_TYPES)[number], EffectClass>> = {
  'core.noop': 'pure',
  'core.identity': 'pure',
  'core.fail': 'pure',
  'core.delay': 'waits',
  'core.approvalGate': 'waits',
  'core.clarificationGate': 'waits',
  'core.interrupt': 'waits',
  // What a script decides asks nobody; what a model decides, and children, do.
  [SUPERVISOR]: 'recorded',
  [DISPATCH]: 'recorded',
  [STRUCTURED_OUTPUT]: 'recorded',
  [CALL_PROMPT]: 'recorded',
  [SIDE_EFFECT]: 'recorded',
};

/** Of a type that nobody has classified it is assumed that it has effects. */
export function effectClassOf(typeId: string): EffectClass {
  return Object.hasOwn(CLASSES, typeId) ? CLASSES[typeId as keyof typeof CLASSES] : 'recorded';
}
