import { isModelNode } from '../models/model-node-types.js';

/** The type that conformance tests drive: all it does is one effect outside (host specification §6.4). */
export const SIDE_EFFECT = 'core.conformance.side-effect';

/** Whose outcome comes from outside, while the node runs. */
export function isAnsweredOutside(typeId: string): boolean {
  return typeId === SIDE_EFFECT || isModelNode(typeId);
}
