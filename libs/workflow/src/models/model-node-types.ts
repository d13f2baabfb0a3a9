/** Node types whose work a model does (host specification §10.2). */
export const STRUCTURED_OUTPUT = 'core.ai.structuredOutput';
export const CALL_PROMPT = 'core.ai.callPrompt';

const MODEL_NODE_TYPES: readonly string[] = [STRUCTURED_OUTPUT, CALL_PROMPT];

export function isModelNode(typeId: string): boolean {
  return MODEL_NODE_TYPES.includes(typeId);
}
