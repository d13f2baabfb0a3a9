import { createHash } from 'node:crypto';

export type LogicalInvocation = {
  readonly tenantId: string;
  readonly runId: string;
  readonly nodeId: string;
  /** Counts the node's invocations in the run: of a supervisor the iteration, of another node its attempt. */
  readonly ordinal: number;
  /** Provider and model, `openai:gpt-5`. */
  readonly providerKey: string;
};

/** Names a call of a provider (host specification §8.2): a retry has the same name, another turn or a fork another one. */
export function logicalInvocationId(invocation: LogicalInvocation): string {
  const { tenantId, runId, nodeId, ordinal, providerKey } = invocation;
  const parts = ['openwop:activity:v2', tenantId, runId, nodeId, String(ordinal), providerKey];
  return createHash('sha256').update(parts.join('\0')).digest('base64url');
}
